/** `serviceResultCode` of a service that ran: says nothing on whether the person was approved. */
export const serviceSucceeded = 0;

/** `serviceResultCode` of authenticateUser (both versions), HTTP 200. */
export const authenticateUserResultCode = {
  authenticated: 0,
  /** registeredTemplateRaw does not match the user identifier. */
  templateOfAnotherUser: -100,
  /** bestImageToken does not match a living person. */
  notLiving: -101,
  /** The templates do not match. */
  templatesDiffer: -102,
} as const;

/** `serviceResultCode` of updateUserTemplate with the HTTP status that it travels with. */
export const updateUserTemplateResultCode = {
  updated: { code: 0, status: 200 },
  /** The old template does not match the user identifier. */
  templateOfAnotherUser: { code: -100, status: 401 },
  /** The old template is not the registered one. */
  templateNotRegistered: { code: -102, status: 401 },
  userNotFound: { code: -103, status: 400 },
} as const;

/** `trackingStatus` of finishTracking: processed without exception. */
export const trackingProcessed = 201;

/** `trackingMessage` that goes with it. */
export const trackingProcessedMessage = "FinishTrackingEvent: Ok";
