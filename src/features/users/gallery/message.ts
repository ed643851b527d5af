import type { Found } from "./scan.ts";

/** The delay before a failed search is worth a retry. */
export const retryAfterSeconds = 5;

/** Requests to the gallery thread. The composition that opens it defines `Batch`. */
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

/** The faces that a gallery compares, and its stored faces that could not be opened. */
export type GallerySize = { readonly size: number; readonly missing: number };

export type GalleryAnswers = {
  /** The sizes of the galleries in the batch, and the faces of the batch that could not be opened. */
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
