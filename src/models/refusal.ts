/** A model is not taken, or not used. The message says why, and what to do where something can be done. */
export class ModelRefused extends Error {
  override readonly name = "ModelRefused";
}

/** No address gave the file: another way to it may be open. */
export class ModelNotFetched extends ModelRefused {}
