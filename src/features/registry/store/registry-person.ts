import type { Environment, RegistryCountry } from "../registry.ts";

/** The local registry of one country, of one tenant and environment. */
export type RegistryOwner = {
  readonly tenantId: string;
  readonly environment: Environment;
  readonly country: RegistryCountry;
};

/** A person as the store holds it. */
export type RegistryPersonRow = {
  /** Keyed hash of country and number. */
  readonly hash: string;
  /** Keyed hash of fields and photo. */
  readonly content: string;
  /** The key that sealed fields and photo. */
  readonly dataKeyId: string;
  readonly sealed: Uint8Array;
  readonly sealedPhoto?: Uint8Array;
};

/** How many persons a local registry holds. */
export type RegistryCount = Omit<RegistryOwner, "tenantId" | "country"> & {
  readonly country: string;
  readonly persons: number;
  readonly photos: number;
};
