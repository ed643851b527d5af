/**
 * Gives the memory of an array back at once, where else it would stay until a garbage collection. An array
 * that shares its memory with others, or whose memory is gone, is left as it is.
 */
export const freeMemory = ({ buffer, byteLength }: Uint8Array | Float32Array): void => {
  if (buffer instanceof ArrayBuffer && !buffer.detached && buffer.byteLength === byteLength)
    buffer.transfer(0);
};
