/** What the operator allows for files that are readable only after a repair. */
export type RepairPolicy = "refuse" | "allow";

/**
 * Why a file is readable only after a repair: its cross-reference with the tree that it leads to, an update
 * that was cut off, its end mark, objects that its pages show, their ends and those of their streams, or the
 * count of its pages contradict the file. A whole update, a hybrid section, bytes before the header and bytes
 * behind the end mark are no causes.
 */
export type RepairCause =
  | "structure"
  | "update"
  | "end_mark"
  | "object"
  | "object_end"
  | "stream_length"
  | "page_count";

/** One cause, with what was found. */
export type Repair = { readonly cause: RepairCause; readonly what: string };

/** What a page shows and the file does not hold whole. No repair brings it back. */
export type Lost = {
  readonly reason: "page_content_missing" | "page_content_damaged" | "pages_lost";
  readonly page?: number;
  readonly object?: number;
  readonly pages?: number;
  readonly pagesStated?: number;
};
