/** The `data` of each workflow event, on the wire. */
import { type TSchema, Type } from "typebox";
import {
  type AssetType,
  customerIdLengthMax,
  type EventName,
  linkedAssets,
  operationFinishedStatuses,
} from "./event.ts";
import { ocrData, validationData } from "./event-document.ts";
import { facialAuthenticationNumber } from "./facial-authentication.ts";
import { livenessNumber } from "./liveness.ts";
import { choice, namesOf, personalText } from "./wire.ts";

const customerId = personalText(
  "identity",
  "The caller's own name for the person: the `userId` of the first call that has one, else its merchant reference, else " +
    "the id of the operation. A longer name appears as a UUID of its SHA-256, the same for equal names.",
  { minLength: 1, maxLength: customerIdLengthMax, examples: ["customer-4711"] },
);

const kept = "Absent images, and those of a deployment that keeps none, have no link.";

/** Longer than any link of a deployment whose public URL is of usual length. */
const urlLengthMax = 2_048;

const assetOf = (types: readonly [AssetType, ...AssetType[]]) =>
  Type.Object({
    type: choice<AssetType[]>(types, "What the image shows."),
    url: Type.String({
      format: "uri",
      minLength: 1,
      maxLength: urlLengthMax,
      description:
        "Pre-signed link to the image. Each delivery carries new links, which work for a limited time (IDEM_ASSET_LINK_MINUTES).",
      examples: [
        "https://idem.example.org/assets/0d4d9c40-6a0b-4c43-9c1f-6c1b6f4f9b0a?expires=1795254600&signature=b3NR",
      ],
    }),
  });

const assetsOf = (types: readonly [AssetType, ...AssetType[]]) =>
  Type.Array(assetOf(types), { maxItems: types.length, description: kept });

const linksTo = (types: readonly [AssetType, ...AssetType[]]) => Type.Object({ assets: assetsOf(types) });

/** Schema of the `data` of each event. */
export const eventData = {
  operation_started: Type.Object({ customerId: Type.Optional(customerId) }),
  id_captured: Type.Object({
    ocr: ocrData,
    assets: assetsOf(linkedAssets.id_captured),
  }),
  selfie_captured: Type.Object({
    asset: Type.Optional(assetOf(linkedAssets.selfie_captured)),
  }),
  facial_authentication_evaluated: Type.Object({
    status: choice(namesOf(facialAuthenticationNumber).toSorted(), "Result of the comparison of two faces."),
    similarity: Type.Number({
      minimum: 0,
      maximum: 1,
      description: "Similarity of the two faces; 0 where they could not be compared. 0, or at least 0.0001.",
      examples: [0.99214232],
    }),
    links: linksTo(linkedAssets.facial_authentication_evaluated),
  }),
  passive_liveness_evaluated: Type.Object({
    diagnostic: choice(
      namesOf(livenessNumber).toSorted(),
      "Result of passive liveness. `Spoof` and `Uncertain` are deprecated and never sent: an attack is `NoLive`.",
    ),
    links: linksTo(linkedAssets.passive_liveness_evaluated),
  }),
  id_validated: Type.Object({
    validation: validationData,
    links: linksTo(linkedAssets.id_validated),
  }),
  operation_finished: Type.Object({
    status: choice(operationFinishedStatuses, "How the operation ended."),
    context: Type.Object({ customerId }),
  }),
} satisfies Readonly<Record<EventName, TSchema>>;

/** The moment of each event. */
export const eventMoment: Readonly<Record<EventName, string>> = {
  operation_started: "The first call of an operation was answered.",
  id_captured: "Images of a document were read.",
  selfie_captured: "An image with a face arrived.",
  facial_authentication_evaluated: "Two faces were compared, or could not be compared.",
  passive_liveness_evaluated: "The liveness of a selfie was judged.",
  id_validated:
    "The validation of a document was decided. A review (9121) that is decided later is a second event of this name.",
  operation_finished: "The operation ended: finishTracking closed it, or no further call came in time.",
};
