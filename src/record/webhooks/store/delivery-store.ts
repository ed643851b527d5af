/** Deliveries, as the workers that send them see them. */
import type { StepSession } from "#record/transactions/store/step-store";
import type { DeliveryKey, DeliveryLease, LeasedDeliveries } from "../delivery/delivery.ts";
import { type FinishedBatch, finishBatch } from "./finish-deliveries.ts";
import { leaseDue } from "./lease-deliveries.ts";
import type { DeliveryTables } from "./webhook-tables.ts";

/** Commands for deliveries as workers see them; implemented by {@link makeDeliveryCommands}. */
export type DeliveryCommands = {
  /**
   * Leases due deliveries, and those of a worker whose lease has ended, with their sealed events and
   * destinations. The destinations take their slots in a circle. A destination with an open breaker gets
   * none, and after its pause one, the probe. An ordered destination gets an event when the earlier events of
   * its operation are delivered or failed.
   */
  readonly leaseDeliveries: (lease: DeliveryLease) => Promise<LeasedDeliveries>;
  /**
   * Ends leased deliveries and writes the log of their attempts. Returns the deliveries whose lease the
   * worker has lost: nothing is written of them.
   */
  readonly finishDeliveries: (batch: FinishedBatch) => Promise<readonly DeliveryKey[]>;
};

export const makeDeliveryCommands = (session: StepSession<DeliveryTables>): DeliveryCommands => ({
  leaseDeliveries: (lease) => leaseDue(session, lease),
  finishDeliveries: (batch) => finishBatch(session, batch),
});
