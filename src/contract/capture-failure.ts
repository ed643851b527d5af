/** Failures of capture sessions; part of `failureKinds`. */
export const captureFailures = {
  capture_origin_refused: {
    status: 403,
    title: "The page is not of the origin of this capture session",
    detail:
      "The header Origin differs from the session's `origin`. Integrators: create the session with the origin of the page that " +
      "shows the widget, without a path.",
    retry: "never",
  },
  capture_expired: {
    status: 409,
    title: "The capture session has expired",
    detail: "What was accepted is kept. Ask the integrator's page for a new session.",
    retry: "never",
  },
  capture_ended: {
    status: 409,
    title: "The capture session has ended",
    detail: "`facts.state` says how. Ask the integrator's page for a new session.",
    retry: "never",
  },
  capture_open_elsewhere: {
    status: 409,
    title: "The capture session is open in another page or device",
    detail:
      "One page at a time captures. Go on there, or open it here with `takeOver`, which works while no image is accepted.",
    retry: "never",
  },
  capture_bound: {
    status: 409,
    title: "The capture session is bound to another page",
    detail:
      "A step, or one side of a document, is accepted, so no other page takes the session over, nor the same page after a reload: " +
      "its key is gone. Go on in the page or on the telephone that captured last. Integrators: what was accepted stays; create a session with the steps that are missing.",
    retry: "never",
  },
  capture_not_opened: {
    status: 409,
    title: "No page has opened the capture session",
    detail: "Send POST /capture/v1/page/open with the public key of the page first.",
    retry: "never",
  },
  capture_consent_missing: {
    status: 409,
    title: "The person has not consented",
    detail: "Show the text of `consent`, and send POST /capture/v1/page/consent before any image.",
    retry: "never",
  },
  capture_consent_outdated: {
    status: 409,
    title: "The text of the consent is of another version",
    detail: "`facts.version` is the version of this session. Show its text, and send that version.",
    retry: "never",
  },
  capture_step_refused: {
    status: 409,
    title: "The capture session does not wait for this step",
    detail:
      "`facts.step` is the step that it waits for, and `facts.side` the side. GET /capture/v1/page shows all steps.",
    retry: "never",
  },
  capture_challenge_missing: {
    status: 409,
    title: "The capture needs a challenge that is not used",
    detail:
      "A challenge serves one upload of the page that asked for it, in its time. Send POST /capture/v1/page/challenge, and capture again.",
    retry: "never",
  },
  capture_piece_refused: {
    status: 409,
    title: "The piece does not follow the pieces before it",
    detail: "`facts.offset` is the next byte that the service needs. Go on from there.",
    retry: "never",
  },
  capture_upload_incomplete: {
    status: 409,
    title: "The upload is not complete",
    detail:
      "`facts.offset` is the next byte that the service needs. Send the missing pieces, then finish again.",
    retry: "never",
  },
  capture_judging: {
    status: 409,
    title: "The upload is being judged",
    detail: "Wait for the seconds of Retry-After, and finish the same upload again: it gets the same answer.",
    retry: "later",
  },
  capture_handoff_refused: {
    status: 409,
    title: "There is no hand-off that this page can confirm",
    detail: "The hand-off has ended, or a newer one replaced it. Show a new code on the first screen.",
    retry: "never",
  },
  capture_upload_damaged: {
    status: 422,
    title: "The uploaded bytes are not those that the page announced",
    detail: "Length or SHA-256 differ. Begin a new upload.",
    retry: "never",
  },
  capture_container_unreadable: {
    status: 422,
    title: "The upload is no container of frames that this step takes",
    detail:
      "`facts.reason` says why: no container of version 2, more than 40 frames, a frame that is no JPEG, or a damaged head. " +
      "Integrators: use the widget of this release.",
    retry: "never",
  },
  capture_paused: {
    status: 429,
    title: "Too many captures were refused in a short time",
    detail:
      "They count against the customer, the key of the page and the session; an address counts only for those that had a refusal. Wait for " +
      "the seconds that the header Retry-After names. Nothing was judged.",
    retry: "later",
  },
  capture_uploads_exhausted: {
    status: 429,
    title: "The capture session has begun too many uploads or challenges",
    detail: "A session takes 20 uploads and 6 challenges. Ask the integrator's page for a new session.",
    retry: "never",
  },
  /** The operator asks for a level of assurance that this best image does not have. */
  liveness_level_too_low: {
    status: 409,
    title: "The best image does not have the level of assurance that this deployment asks for",
    detail:
      "Nothing was judged, and the token can still be used elsewhere. Capture again in a capture session with the level of " +
      "`facts.levelMin`, and send its token. Operators: IDEM_LIVENESS_LEVEL_MIN_IDENTITY, …_AUTHENTICATE_USER, …_LIVENESS.",
    retry: "never",
  },
} as const;
