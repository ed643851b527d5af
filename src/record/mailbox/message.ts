import type { Caller } from "#contract/endpoint";

/** Owner of a mailbox: the test environment of a tenant has one. */
export type MailboxOwner = Pick<Caller, "tenantId" | "environment">;

/** Whether a signature held; else why not, in words. */
export type SignatureCheck = { readonly holds: true } | { readonly holds: false; readonly reason: string };

/** A message as it arrived at the mailbox. It holds personal data: never log it. */
export type MailboxMessage = {
  /** 1, 2, 3 and so on for each owner in a process. A reader continues after the last number that it has. */
  readonly number: number;
  readonly receivedAt: Date;
  readonly destinationId: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** By the headers of Standard Webhooks. */
  readonly webhook: SignatureCheck;
  /** By the event's own `signature`. */
  readonly event: SignatureCheck;
};
