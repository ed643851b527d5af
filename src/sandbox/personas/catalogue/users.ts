import { authenticateUserResult, updateUserTemplateResult } from "#contract/result-code";
import type { Persona, PersonaCall, PersonaImage, Produced } from "../persona.ts";
import { face } from "./calls.ts";
import { asAnotherPerson } from "./face-changes.ts";

type Result = keyof typeof authenticateUserResult;
type Update = keyof typeof updateUserTemplateResult;

const authenticated = (value: Result): readonly Produced[] => [
  { table: "authenticateUser", value: authenticateUserResult[value].code },
];
const updated = (value: Update): readonly Produced[] => [
  { table: "updateUserTemplate", value: updateUserTemplateResult[value].code },
];

/** Enrols or authenticates the user `user` with these images. */
const authenticate = (
  name: string,
  user: string,
  images: { readonly image: string; readonly bestImageToken: string },
  result: Result,
): PersonaCall => ({
  name,
  route: "authenticateUserV2",
  fields: { userId: `${user}-{run}`, merchantReferenceId: `persona-{run}-${name}` },
  images,
  expected: { serviceResultCode: authenticateUserResult[result].code },
});

const update = (user: string, oldFrom: string, newFrom: string, verdict: Update): PersonaCall => ({
  name: "update",
  route: "updateUserTemplate",
  fields: { userId: `${user}-{run}` },
  taken: [
    { field: "oldRegisteredTemplateRaw", from: oldFrom, member: "registeredTemplateRaw" },
    { field: "newRegisteredTemplateRaw", from: newFrom, member: "registeredTemplateRaw" },
  ],
  expected: { serviceResultCode: updateUserTemplateResult[verdict].code },
  status: verdict === "updated" ? 200 : verdict === "userNotFound" ? 400 : 401,
});

const own: Readonly<Record<string, PersonaImage>> = {
  portrait: face("portrait"),
  selfie: face("selfie"),
  "later-selfie": face("later-selfie"),
};
const ofAnother: Readonly<Record<string, PersonaImage>> = {
  "other-portrait": face("portrait", asAnotherPerson),
  "other-selfie": face("selfie", asAnotherPerson),
};

const first = { image: "portrait", bestImageToken: "selfie" } as const;
const enrol = authenticate("enrol", "ana", first, "authenticated");
const enrolOther = authenticate(
  "enrol-other",
  "bea",
  { image: "other-portrait", bestImageToken: "other-selfie" },
  "authenticated",
);
/** The same face under another identifier, from another image. */
const enrolAgain = authenticate(
  "enrol-again",
  "ana2",
  { image: "later-selfie", bestImageToken: "selfie" },
  "authenticated",
);

const authenticatePersonas: readonly Persona[] = [
  {
    name: "user-authenticated",
    story: "A user is enrolled, and recognised later.",
    produces: authenticated("authenticated"),
    images: own,
    calls: [
      enrol,
      authenticate(
        "authenticate",
        "ana",
        { image: "portrait", bestImageToken: "later-selfie" },
        "authenticated",
      ),
    ],
  },
  {
    name: "user-template-of-another",
    story: "A user is enrolled. Then the reference of another person comes under that identifier.",
    produces: authenticated("templateOfAnotherUser"),
    images: { ...own, ...ofAnother },
    calls: [
      enrol,
      authenticate(
        "authenticate",
        "ana",
        { image: "other-portrait", bestImageToken: "other-selfie" },
        "templateOfAnotherUser",
      ),
    ],
  },
  {
    name: "user-not-living",
    story: "A user comes with a face on a telephone.",
    produces: authenticated("notLiving"),
    images: { portrait: face("portrait"), selfie: face("selfie-on-a-telephone") },
    calls: [authenticate("enrol", "ana", first, "notLiving")],
  },
  {
    name: "user-templates-differ",
    story: "The selfie is of another person than the reference.",
    produces: authenticated("templatesDiffer"),
    images: { portrait: face("portrait"), selfie: face("selfie", asAnotherPerson) },
    calls: [authenticate("enrol", "ana", first, "templatesDiffer")],
  },
];

const updatePersonas: readonly Persona[] = [
  {
    name: "update-done",
    story: "A user's template is replaced by a later one of the same face.",
    produces: updated("updated"),
    images: own,
    calls: [enrol, enrolAgain, update("ana", "enrol", "enrol-again", "updated")],
  },
  {
    name: "update-template-of-another",
    story: "The old template is that of another user.",
    produces: updated("templateOfAnotherUser"),
    images: { ...own, ...ofAnother },
    calls: [enrol, enrolOther, update("ana", "enrol-other", "enrol", "templateOfAnotherUser")],
  },
  {
    name: "update-template-not-registered",
    story: "The old template shows the user, and is not the registered one.",
    produces: updated("templateNotRegistered"),
    images: own,
    calls: [enrol, enrolAgain, update("ana", "enrol-again", "enrol", "templateNotRegistered")],
  },
  {
    name: "update-user-not-found",
    story: "No user has the identifier.",
    produces: updated("userNotFound"),
    images: own,
    calls: [enrol, update("nadie", "enrol", "enrol", "userNotFound")],
  },
];

/** Personas of the result codes of users. */
export const userPersonas: readonly Persona[] = [...authenticatePersonas, ...updatePersonas];
