import { Failure } from "#contract/failure";
import type { Json } from "#contract/json";
import type { BoundContext, Keyring } from "#machine/storage/blobs";
import type { SealedTransaction, StoredTransaction, TransactionRecord } from "./record.ts";

/**
 * Seals and opens the measurements of records with the tenant's key. A destroyed key opens nothing: such
 * measurements read as null. Fails with stored_damaged for changed bytes. Made by
 * {@link makeMeasurementSeal}.
 */
export type MeasurementSeal = {
  readonly seal: (record: TransactionRecord) => Promise<SealedTransaction>;
  readonly open: (stored: StoredTransaction) => Promise<TransactionRecord>;
  /** The sealed bytes of measurements alone, for a row of an earlier release. */
  readonly sealBytes: (owner: Owner, measurements: Json) => Promise<Uint8Array>;
};

type Owner = Pick<TransactionRecord, "tenantId" | "environment" | "id">;

/** A record's measurements do not open in another record or in another environment. */
const contextOf = ({ id, environment }: Owner): BoundContext => ({ owner: `transaction ${id}`, environment });

export const makeMeasurementSeal = (keyring: Pick<Keyring, "seal" | "open">): MeasurementSeal => {
  const sealBytes = async (owner: Owner, measurements: Json): Promise<Uint8Array> =>
    measurements === null
      ? new Uint8Array()
      : await keyring.seal(
          owner.tenantId,
          "measurements",
          Buffer.from(JSON.stringify(measurements), "utf8"),
          contextOf(owner),
        );
  const openBytes = async (owner: Owner, sealed: Uint8Array): Promise<Json> => {
    const plain = await keyring.open(owner.tenantId, "measurements", sealed, contextOf(owner));
    return JSON.parse(Buffer.from(plain).toString("utf8"));
  };
  return {
    sealBytes,
    seal: async ({ measurements, ...record }) => ({
      ...record,
      sealedMeasurements: await sealBytes(record, measurements),
    }),
    open: async ({ sealedMeasurements, plainMeasurements = null, ...record }) => ({
      ...record,
      measurements:
        sealedMeasurements.length === 0
          ? plainMeasurements
          : await openBytes(record, sealedMeasurements).catch(nullIfDestroyed),
    }),
  };
};

const nullIfDestroyed = (error: unknown): null => {
  if (error instanceof Failure && error.code === "not_found") {
    return null;
  }
  throw error;
};
