import { openDeliveryAdmin } from "#app/webhooks";
import { Failure } from "#contract/failure";
import type { DeliveryActor, DeliveryAdmin, ShownAttempt } from "#record/webhooks/delivery/delivery-admin";
import type { ListedDelivery } from "#record/webhooks/store/attempt-store";
import { CommandError, print, printListing, say, UsageError } from "../command.ts";
import type { Work } from "../kit/action.ts";
import { wayOut } from "../kit/store/way-out.ts";
import { withTenant } from "../kit/store/with-tenant.ts";
import type * as words from "./deliveries.command.ts";

type Place = { readonly tenant: string | undefined; readonly live: boolean };

/** Runs the work on the deliveries of one environment of a tenant. */
const withDeliveries = (
  { tenant: name, live }: Place,
  work: (admin: DeliveryAdmin, actor: DeliveryActor) => Promise<void>,
): Promise<number> =>
  withTenant(
    name,
    async ({ sealedStore, config, tenant }) => {
      const actor = { tenantId: tenant.id, environment: live ? "live" : "test" } as const;
      await work(openDeliveryAdmin(sealedStore, config), actor).catch((error: unknown) => {
        if (!(error instanceof Failure && error.code === "not_found")) throw error;
        throw new CommandError(
          "There is no such destination or delivery in this environment. List: idem webhooks list",
        );
      });
      return 0;
    },
    wayOut.deliveries,
  );

export const deliveries: Work<typeof words.deliveries> = async (
  { state, event, json, ...place },
  [destinationId, eventId, ...others],
) => {
  if (others.length > 0 || (destinationId === undefined && event === undefined)) {
    throw new UsageError("Name a destination, or an event: idem webhooks deliveries DESTINATION");
  }
  return await withDeliveries(place, async (admin, actor) => {
    if (destinationId !== undefined && eventId !== undefined) {
      const { delivery, attempts } = await admin.show(actor, destinationId, eventId);
      if (!json) printDeliveries([delivery], false);
      printAttempts(attempts, json);
      return;
    }
    const wanted = { destinationId, eventId: event, ...(state && { state }) };
    const { deliveries: listed, isLast } = await admin.list(actor, wanted);
    printDeliveries(listed, json);
    if (!isLast) say("There are more: /operator/deliveries has the next pages.");
  });
};

export const replay: Work<typeof words.replay> = async (values, destinationId) => {
  const { from, to, failed, held, "dry-run": isDryRun } = values;
  if (failed && held) throw new UsageError("Set --failed or --held, not both");
  if (from !== undefined && to !== undefined && to <= from) {
    throw new UsageError(`--to is ${to.toISOString()}, and must be after --from ${from.toISOString()}`);
  }
  return await withDeliveries(values, async (admin, actor) => {
    const range = { from, to, isDryRun };
    // One moment for all rounds: what a running service has delivered again meanwhile is not sent a second
    // time.
    const endedBefore = new Date();
    const round = () =>
      held
        ? admin.release(actor, destinationId, range)
        : admin.replay(actor, destinationId, { ...range, endedBefore, isFailedOnly: failed });
    let total = 0;
    for (let isLast = false; !isLast; ) {
      const done = await round();
      total += done.count;
      isLast = done.isLast || isDryRun;
      if (!isLast) say(`${total} deliveries so far`);
    }
    print(String(total));
  });
};

const printDeliveries = (listed: readonly ListedDelivery[], isJson: boolean): void =>
  printListing(
    ["event", "name", "at", "destination", "state", "attempts", "next"],
    listed.map((one) => [
      one.eventId,
      one.name,
      one.eventAt.toISOString(),
      one.destinationId,
      one.state,
      String(one.attempts),
      one.nextAt?.toISOString() ?? "",
    ]),
    { isJson, empty: "There is no delivery." },
  );

const printAttempts = (attempts: readonly ShownAttempt[], isJson: boolean): void =>
  printListing(
    ["attempt", "at", "outcome", "status", "ms", "address", "decision", "next", "reason"],
    attempts.map((one) => [
      String(one.attempt),
      one.at.toISOString(),
      one.outcome,
      String(one.status ?? ""),
      String(Math.round(one.timings.totalMs)),
      one.address ?? "",
      one.decision,
      one.nextAt?.toISOString() ?? "",
      one.reason ?? "",
    ]),
    { isJson, empty: "No attempt yet." },
  );
