/** `family` values of finishTracking. */
export const trackingFamilies = ["Authentication", "OnBoarding"] as const;

/** Values of the `family` header; the spelling `Onboarding` is in use too. */
export const familyHeaderValues = [...trackingFamilies, "Onboarding"] as const;

/** The family in the spelling of finishTracking. */
export const familyOf = (value: string): string => (value === "Onboarding" ? "OnBoarding" : value);

/** `status` values of finishTracking. */
export const trackingStatuses = ["SUCCEEDED", "DENIED", "ERROR", "CANCELLED", "BLACKLISTED"] as const;

/** States of an operation that takes no further step. An operation without a further call expires. */
export const endedStates = [...trackingStatuses, "EXPIRED"] as const;

export type EndedState = (typeof endedStates)[number];

/** States of an operation: open, or how it ended. */
export const operationStates = ["open", ...endedStates] as const;

export type OperationState = (typeof operationStates)[number];

/** `reason` values of finishTracking; the empty string belongs to a success. */
export const trackingReasons = [
  "",
  "DOCUMENT_VALIDATION_NOT_PASSED",
  "DOCUMENT_VALIDATION_ERROR",
  "FACIAL_AUTHENTICATION_NOT_PASSED",
  "FACIAL_LIVENESS_NOT_PASSED",
  "FACIAL_AUTHENTICATION_ERROR",
  "FACIAL_LIVENESS_ERROR",
  "BLACKLISTED_FACE_TEMPLATE",
  "ALREADY_REGISTERED",
  "MANUAL_STATUS_CHANGE",
  "SECURITY_SERVICE_ERROR",
  "SELPHID_INTERNAL_ERROR",
  "SELPHID_TIMEOUT",
  "SELPHI_TIMEOUT",
] as const;

/** Reason of an operation that expired. finishTracking takes no such value. */
export const expiryReason = "NO_FURTHER_CALL";

/** Reason of an operation that an operator ended. */
export const operatorReason = "MANUAL_STATUS_CHANGE" satisfies (typeof trackingReasons)[number];

/** Kinds of entries inside the SDK's `extraData`. */
export const trackingEntryKinds = [
  "DEVICE_EVENT",
  "INIT_OPERATION",
  "STEP_CHANGE",
  "STEP_RESULT_SUCCEEDED",
  "STEP_RESULT_CANCELLED",
  "STEP_RESULT_ERROR",
  "STEP_RESULT_EXPIRED",
  "OCR_DATA",
  "ASSET_UPLOAD",
  "SIGNATURE_RESULT",
  "CUSTOMER_ID",
  "OPERATION_ID",
  "SESSION_ID",
] as const;
