/**
 * A model is not installed, or not used. The message states the reason, and the next step where there is one.
 */
export class ModelRefused extends Error {
  override readonly name = "ModelRefused";
}

/** No address delivered the file: another route may work. */
export class ModelNotFetched extends ModelRefused {}
