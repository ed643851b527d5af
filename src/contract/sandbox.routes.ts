import { Type } from "typebox";
import { type Route, route } from "./endpoint.ts";
import { exampleImage } from "./example.ts";
import type { FailureCode } from "./failure.ts";
import { base64, choice, responseTime, text } from "./wire.ts";

const tag = "Sandbox";
const scope = "tracking";
const base = "/sandbox/v1/personas";
const withoutExample = "personas are calls themselves, with new identifiers in each answer";

/** A live key finds no such endpoint. */
const failures = ["path_unknown"] as const satisfies FailureCode[];
const drawing = ["not_found", "engine_busy", "engine_failed"] as const satisfies FailureCode[];

const beyond = "Beyond the interface, for test keys alone: to a live key there is no such endpoint.";

const personaName = Type.String({
  description: "Name of the persona.",
  maxLength: 64,
  examples: ["facial-positive"],
});

const produced = Type.Object({
  table: text("Table of codes of the interface.", { examples: ["facial"] }),
  value: Type.Union([Type.Number(), Type.String()], { description: "The value.", examples: [3] }),
});

const described = {
  name: personaName,
  story: text("What its images show, or what happens.", {
    examples: ["A portrait and a selfie of one face."],
  }),
  judgedBy: choice(
    ["engines", "steered"],
    "`engines`: the engines judge what the images show. `steered`: a mark in an image changes a measurement, a fact or the outage.",
  ),
  produces: Type.Array(produced, {
    "x-name": "ProducedCodes",
    description: "The values of code tables that its calls produce.",
  }),
};

/** POST /sandbox/v1/mesh */
export const showMeshRoute = route({
  name: "showMesh",
  withoutExample: "a mesh has 468 points",
  method: "POST",
  path: "/sandbox/v1/mesh",
  scope: "face",
  tag,
  cost: 2,
  summary: "Shows the landmarks of the face in an image",
  description: `${beyond} For drawings of what is measured, such as the page \`/demo\`. Nothing is stored.`,
  inputs: { image: "image" },
  request: Type.Object({ image: base64("face", "Open image of a face.") }),
  response: Type.Object({
    timestamp: responseTime,
    width: Type.Integer({ description: "Width of the decoded image, upright.", examples: [320] }),
    height: Type.Integer({ description: "Its height.", examples: [400] }),
    points: Type.Array(Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }), {
      description:
        "The 468 landmarks of FaceMesh's topology, x and y in pixels of that image; empty without a face.",
      "x-personal": "face",
      examples: [[[156.2, 180.4]]],
    }),
  }),
  failures: [
    ...failures,
    "image_unreadable",
    "image_unsupported",
    "image_too_large",
    "engine_busy",
    "engine_failed",
  ],
});

/** GET /sandbox/v1/personas */
export const listPersonasRoute = route({
  name: "listPersonas",
  withoutExample,
  method: "GET",
  path: base,
  scope,
  tag,
  summary: "Lists the personas of the sandbox",
  description: `${beyond} A persona is a named subject of tests, with its images and calls.`,
  request: Type.Object({}),
  response: Type.Object({
    timestamp: responseTime,
    engines: Type.Integer({ description: "Personas that the engines judge.", examples: [60] }),
    steered: Type.Integer({ description: "Personas that marks steer.", examples: [90] }),
    personas: Type.Array(
      Type.Object({
        ...described,
        images: Type.Array(Type.String(), { description: "Names of its images.", examples: [["selfie"]] }),
        routes: Type.Array(Type.String(), {
          description: "Operations that it calls.",
          examples: [["identity"]],
        }),
      }),
    ),
  }),
  failures,
});

const taken = Type.Object({
  field: text("Field of this call.", { examples: ["scanReference"] }),
  from: text("Name of an earlier call.", { examples: ["start"] }),
  member: text("Member of its answer.", { examples: ["scanReference"] }),
});

const anyValue = Type.Unknown();

const call = Type.Object({
  name: text("Name of the call within the persona.", { examples: ["identity"] }),
  operation: text("Operation of this specification.", { examples: ["identity"] }),
  method: text("HTTP method.", { examples: ["POST"] }),
  path: text("Path of the operation.", { examples: ["/onboarding/v2/identity"] }),
  body: Type.Record(Type.String(), anyValue, {
    description: "Fields of the request, images in Base64: ready to send.",
    examples: [{ method: "3" }],
  }),
  taken: Type.Array(taken, { description: "Fields that take a value of an earlier answer." }),
  repeatedWhile: Type.Optional(
    Type.Object(
      {
        member: text("Member of the answer.", { examples: ["verification.code"] }),
        value: Type.Union([Type.String(), Type.Number()], { examples: [7002] }),
      },
      { description: "Send the call again while this member of the answer has this value." },
    ),
  ),
  status: Type.Integer({ description: "HTTP status of the answer.", examples: [200] }),
  expected: Type.Record(Type.String(), anyValue, {
    description: "Members of the answer with their values.",
    examples: [{ facialAuthenticationResult: 3 }],
  }),
  civil: Type.Optional(
    Type.Object(
      {
        field: text("Name of the field.", { examples: ["lastName"] }),
        code: text("Its code.", { examples: ["0"] }),
      },
      { description: "A field of civilDataValidation in the answer, with its code." },
    ),
  ),
  reasons: Type.Optional(
    Type.Array(Type.Integer(), {
      description: "Reason codes of the answer, in front or further.",
      examples: [[511]],
    }),
  ),
});

/** GET /sandbox/v1/personas/{persona} */
export const showPersonaRoute = route({
  name: "showPersona",
  withoutExample,
  method: "GET",
  path: `${base}/{persona}`,
  scope,
  tag,
  cost: 4,
  summary: "Shows a persona with calls that are ready to send",
  description: `${beyond} Each answer has new identifiers in the bodies, so that the calls can be sent again.`,
  request: Type.Object({ persona: personaName }),
  response: Type.Object({
    timestamp: responseTime,
    ...described,
    calls: Type.Array(call, { description: "In their order." }),
  }),
  failures: [...failures, ...drawing],
});

/** GET /sandbox/v1/personas/{persona}/{image} */
export const showPersonaImageRoute = route({
  name: "showPersonaImage",
  withoutExample,
  method: "GET",
  path: `${base}/{persona}/{image}`,
  scope,
  tag,
  cost: 4,
  summary: "Shows an image of a persona",
  description: `${beyond} Send the bytes unchanged: the mark is among their metadata.`,
  request: Type.Object({
    persona: personaName,
    image: Type.String({ description: "Name of the image.", maxLength: 32, examples: ["selfie"] }),
  }),
  response: Type.Object({
    timestamp: responseTime,
    mimeType: choice(["image/jpeg", "image/png"], "Format of the image."),
    image: Type.String({
      description: "The image in Base64. It shows no person: it is drawn.",
      contentEncoding: "base64",
      examples: [exampleImage],
    }),
  }),
  failures: [...failures, ...drawing],
});

/** In the order of the docs page. */
export const sandboxRoutes: readonly Route[] = [
  listPersonasRoute,
  showPersonaRoute,
  showPersonaImageRoute,
  showMeshRoute,
];
