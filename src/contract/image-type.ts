/**
 * MIME types of the images that every image field takes. The interface declares the first two (Limits,
 * documentRawImageMimeType); the others are beyond it.
 */
export const imageTypes = ["image/png", "image/jpeg", "image/webp", "image/avif"] as const;
