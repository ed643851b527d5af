import type { Found } from "./scan.ts";

/** When a search that could not be made is worth another try. */
export const retryAfterSeconds = 5;

/** What the galleries' thread is asked; `Batch` is whatever its composition can open. */
export type GalleryRequest<Batch> =
  | { readonly kind: "put"; readonly batch: Batch }
  | { readonly kind: "remove"; readonly gallery: string; readonly ids: readonly string[] }
  | { readonly kind: "forget"; readonly gallery: string }
  | SearchRequest;

export type SearchRequest = {
  readonly kind: "search";
  readonly gallery: string;
  /** A packed template. */
  readonly probe: Uint8Array;
  readonly scoreMin: number;
  readonly limit: number;
};

/** Faces that a gallery compares with, and faces that are stored of it and could not be opened. */
export type GallerySize = { readonly size: number; readonly missing: number };

export type GalleryAnswers = {
  /** What the galleries have that the batch named, and how many of the batch could not be opened. */
  readonly put: {
    readonly sizes: readonly ({ readonly gallery: string } & GallerySize)[];
    readonly unopened: number;
  };
  readonly remove: GallerySize;
  readonly forget: GallerySize;
  readonly search: Found;
};

export type GalleryMessage<Batch> = { readonly number: number; readonly request: GalleryRequest<Batch> };

export type GalleryReply =
  | { readonly number: number; readonly answer: GalleryAnswers[keyof GalleryAnswers] }
  | { readonly number: number; readonly error: string };
