import type { Break } from "./breaks.ts";

/** A break that a maintainer accepts, with the reason that the changelog states too. */
export type AcceptedBreak = Pick<Break, "kind" | "operation" | "place"> & { readonly reason: string };

/**
 * Accepted breaks against the last release. An entry that names no break of the present contract fails the
 * check, so the list is empty again after the release.
 */
export const acceptedBreaks: readonly AcceptedBreak[] = [];
