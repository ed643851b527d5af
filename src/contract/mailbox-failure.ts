/** Failures of the mailbox; part of `failureKinds`. */
export const mailboxFailures = {
  mailbox_live_key: {
    status: 403,
    title: "The mailbox takes test keys only",
    detail:
      "It shows events with personal data and belongs to the test environment. Send a key of the test environment.",
    retry: "never",
  },
} as const;
