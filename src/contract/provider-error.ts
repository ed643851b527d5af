/**
 * A wrong or missing answer of a provider. The message names host, status and code, never sent or received
 * data.
 */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
  /**
   * Whether the same call may succeed later: an outage, overload, or credentials that the operator can
   * correct.
   */
  readonly isTransient: boolean;

  constructor(message: string, isTransient: boolean, options?: ErrorOptions) {
    super(message, options);
    this.isTransient = isTransient;
  }
}
