/** `serviceResultCode` of a service that ran, independent of the decision on the person. */
export const serviceSucceeded = 0;

/** `serviceResultCode` of authenticateUser (both versions), HTTP 200, and its `serviceResultLog`. */
export const authenticateUserResult = {
  authenticated: { code: 0, log: "User authenticated successfully" },
  templateOfAnotherUser: { code: -100, log: "registeredTemplateRaw does not match the user identifier" },
  notLiving: { code: -101, log: "bestImageToken does not match a living person" },
  templatesDiffer: { code: -102, log: "Authentication failed, templates do not match" },
} as const;

/** `serviceResultCode` of updateUserTemplate and its `serviceResultLog`. */
export const updateUserTemplateResult = {
  updated: { code: 0, log: "[updateUserTemplate] Service executed ok" },
  templateOfAnotherUser: { code: -100, log: "oldRegisteredTemplateRaw does not match the user identifier" },
  templateNotRegistered: { code: -102, log: "oldRegisteredTemplateRaw is not the registered template" },
  userNotFound: { code: -103, log: "User not found" },
} as const;

/** The HTTP statuses of updateUserTemplate's codes; every other code travels with 200. */
export const updateUserTemplateStatuses = { "-100": 401, "-102": 401, "-103": 400 } as const;

/** `trackingStatus` of finishTracking: processed without exception. */
export const trackingProcessed = 201;

/** The `trackingMessage` for it. */
export const trackingProcessedMessage = "FinishTrackingEvent: Ok";
