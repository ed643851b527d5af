/** Workflow events by name, with their topic for subscribers, in the order of a typical operation. */
export const eventTopic = {
  operation_started: "workflows/operation-started/v1",
  id_captured: "workflows/id-captured/v1",
  selfie_captured: "workflows/selfie-captured/v1",
  facial_authentication_evaluated: "workflows/facial-authentication-evaluated/v1",
  passive_liveness_evaluated: "workflows/passive-liveness-evaluated/v1",
  id_validated: "workflows/id-validated/v1",
  operation_finished: "workflows/operation-finished/v1",
} as const;

/** Name of a workflow event. */
export type EventName = keyof typeof eventTopic;

/** CloudEvents `type` of an event; the vendor part is the operator's own reverse domain name. */
export const eventType = (vendor: string, name: EventName): string =>
  `com.${vendor}.api.workflows.${name}.v1`;

/** `status` of operation_finished. */
export const operationFinishedStatuses = ["DENIED", "EXPIRED", "BLACKLISTED", "SUCCEEDED", "ERROR"] as const;

/** Kinds of images that an event links to. */
export const assetTypes = ["id_front", "id_back", "id_portrait", "nfc_portrait", "selfie"] as const;

/** Kind of an image that an event links to. */
export type AssetType = (typeof assetTypes)[number];

/** A kept image of an operation, as events refer to it. */
export type AssetReference = { readonly id: string; readonly type: AssetType };

/** The kinds of images that each event links to, in this order, where the operation keeps them. */
export const linkedAssets = {
  operation_started: [],
  id_captured: ["id_front", "id_back", "id_portrait"],
  selfie_captured: ["selfie"],
  facial_authentication_evaluated: ["id_portrait", "nfc_portrait", "selfie"],
  passive_liveness_evaluated: ["selfie"],
  id_validated: ["id_front", "id_back"],
  operation_finished: [],
} as const satisfies Readonly<Record<EventName, readonly AssetType[]>>;

/** `customerId` of an event: 1 to 36 characters. */
export const customerIdLengthMax = 36;
