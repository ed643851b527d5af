import { vi } from "vitest";

/**
 * Waits until a check passes: a busy machine may take long over it. Fails with the check's last error after
 * 20 s.
 */
export const eventually = <Value>(
  check: () => Value | Promise<Value>,
  options: { readonly timeout?: number; readonly interval?: number } = {},
): Promise<Value> => vi.waitFor(check, { timeout: 20_000, ...options });
