import { openDeliveryAdmin } from "#app/webhooks";
import { Failure } from "#contract/failure";
import { readConfig } from "#machine/config/config";
import { deliveryStates } from "#record/webhooks/delivery/delivery";
import type { DeliveryActor, DeliveryAdmin, ShownAttempt } from "#record/webhooks/delivery/delivery-admin";
import type { ListedDelivery } from "#record/webhooks/store/attempt-store";
import { findTenant } from "../admin/tenant.ts";
import {
  CommandError,
  jsonOption,
  parseOptions,
  print,
  printListing,
  type Run,
  say,
  suggestion,
  UsageError,
} from "../command.ts";
import { openCommandStore } from "../reach-store.ts";
import { findDeployment } from "../serve/first-start.ts";
import { wayOut } from "../way-out.ts";

export const runDeliveries: Run = async (args) => {
  const { values, positionals } = parseOptions(
    args,
    { state: { type: "string" }, event: { type: "string" }, ...jsonOption, ...placeOptions },
    true,
  );
  const [destinationId, eventId, ...others] = positionals;
  const state = readState(values.state);
  if (others.length > 0 || (destinationId === undefined && values.event === undefined)) {
    throw new UsageError("Name a destination, or an event: idem webhooks deliveries DESTINATION");
  }
  return await withAdmin(values, async (admin, actor) => {
    if (destinationId !== undefined && eventId !== undefined) {
      const { delivery, attempts } = await admin.show(actor, destinationId, eventId);
      if (!values.json) printDeliveries([delivery], false);
      printAttempts(attempts, values.json);
      return;
    }
    const wanted = { destinationId, eventId: values.event, ...(state && { state }) };
    const { deliveries: listed, isLast } = await admin.list(actor, wanted);
    printDeliveries(listed, values.json);
    if (!isLast) say("There are more: /operator/deliveries has the next pages.");
  });
};

export const runReplay: Run = async (args) => {
  const { values, positionals } = parseOptions(
    args,
    {
      from: { type: "string" },
      to: { type: "string" },
      failed: { type: "boolean", default: false },
      held: { type: "boolean", default: false },
      "dry-run": { type: "boolean", default: false },
      ...placeOptions,
    },
    true,
  );
  const [destinationId, ...others] = positionals;
  if (destinationId === undefined || others.length > 0) {
    throw new UsageError("Name the destination: idem webhooks replay DESTINATION");
  }
  if (values.failed && values.held) throw new UsageError("Set --failed or --held, not both");
  const range = {
    from: readTime("--from", values.from),
    to: readTime("--to", values.to),
    isDryRun: values["dry-run"],
  };
  if (range.from !== undefined && range.to !== undefined && range.to <= range.from) {
    throw new UsageError(`--to is "${values.to}", and must be after --from "${values.from}"`);
  }
  return await withAdmin(values, async (admin, actor) => {
    // One moment for all rounds: what a running service has delivered again meanwhile is not sent a second time.
    const endedBefore = new Date();
    const round = () =>
      values.held
        ? admin.release(actor, destinationId, range)
        : admin.replay(actor, destinationId, { ...range, endedBefore, isFailedOnly: values.failed });
    let total = 0;
    for (let isLast = false; !isLast; ) {
      const done = await round();
      total += done.count;
      isLast = done.isLast || values["dry-run"];
      if (!isLast) say(`${total} deliveries so far`);
    }
    print(String(total));
  });
};

const placeOptions = { tenant: { type: "string" }, live: { type: "boolean" } } as const;

type Place = { readonly tenant?: string | undefined; readonly live?: boolean | undefined };

const withAdmin = async (
  place: Place,
  work: (admin: DeliveryAdmin, actor: DeliveryActor) => Promise<void>,
): Promise<number> => {
  const config = await findDeployment(readConfig());
  const { store, close } = await openCommandStore(config, wayOut.deliveries);
  try {
    const tenant = await findTenant(store, place.tenant);
    const environment = place.live === true ? "live" : "test";
    await work(openDeliveryAdmin(store, config), { tenantId: tenant.id, environment });
    return 0;
  } catch (error) {
    if (error instanceof Failure && error.code === "not_found") {
      throw new CommandError(
        "There is no such destination or delivery in this environment. List: idem webhooks list",
      );
    }
    throw error;
  } finally {
    await close();
  }
};

const readState = (text: string | undefined): (typeof deliveryStates)[number] | undefined => {
  if (text === undefined) return undefined;
  const state = deliveryStates.find((one) => one === text);
  if (state === undefined) {
    throw new UsageError(
      `"${text}" is no state.${suggestion(text, deliveryStates)} States: ${deliveryStates.join(", ")}`,
    );
  }
  return state;
};

const readTime = (option: string, text: string | undefined): Date | undefined => {
  if (text === undefined) return undefined;
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) {
    throw new UsageError(
      `${option} is "${text}". Set it to a time in ISO 8601, such as 2026-11-21T00:00:00Z`,
    );
  }
  return time;
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
