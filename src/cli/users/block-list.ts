import { readFile } from "node:fs/promises";
import { type BlockListAdmin, openBlockListAdmin, readOutdated } from "#app/block-list";
import { openUserAdmin, type ReadyConfig, type UserAdminStore } from "#app/storage";
import { readConfig } from "#machine/config/config";
import type { Tenant } from "#trust/tenants/store/tenant";
import { findTenant } from "../admin/tenant.ts";
import {
  CommandError,
  jsonOption,
  parseOptions,
  print,
  printListing,
  type Run,
  say,
  UsageError,
} from "../command.ts";
import { noteLengthMax } from "../note-length.ts";
import { openCommandStore } from "../reach-store.ts";
import { findDeployment } from "../serve/first-start.ts";
import { wayOut } from "../way-out.ts";
import { findUsers, parseEnvironments } from "./user-list.ts";

type Opened = {
  readonly admin: BlockListAdmin;
  readonly store: UserAdminStore;
  readonly config: ReadyConfig;
  readonly tenant: Tenant;
};

/** Opens the store for one action on a tenant's block list. */
const withBlockList = async (
  tenantName: string | undefined,
  work: (opened: Opened) => Promise<number>,
): Promise<number> => {
  const config = await findDeployment(readConfig());
  const { store, close } = await openCommandStore(config, wayOut.stop);
  try {
    const tenant = await findTenant(store, tenantName);
    return await work({ admin: openBlockListAdmin(store, config), store, config, tenant });
  } finally {
    await close();
  }
};

export const runBlock: Run = async (args) => {
  const { values } = parseOptions(args, {
    image: { type: "string" },
    user: { type: "string" },
    note: { type: "string", default: "" },
    tenant: { type: "string" },
    environment: { type: "string" },
  });
  const { image, user, note, environment } = values;
  if ((image === undefined) === (user === undefined)) {
    throw new UsageError("Name the face: --image FILE or --user ID");
  }
  if (image !== undefined && environment === undefined) {
    throw new UsageError("Name the environment: --environment live or --environment test");
  }
  if (note.length > noteLengthMax) {
    throw new UsageError(`Shorten --note to at most ${noteLengthMax} characters`);
  }
  const environments = parseEnvironments(environment);
  return await withBlockList(values.tenant, async (opened) => {
    const faces =
      user === undefined
        ? [{ environment: environments[0]!, template: await readImage(opened, image ?? "") }]
        : await readUser(opened, environments, user);
    for (const entry of await opened.admin.block(opened.tenant.id, faces, note)) {
      print(entry.id);
      say(
        entry.isNew
          ? `Blocked the face in the ${entry.environment} environment.`
          : `The same face is blocked in the ${entry.environment} environment already; the entry keeps its note.`,
      );
    }
    return 0;
  });
};

const readImage = async ({ admin }: Opened, path: string): Promise<Uint8Array> => {
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw new CommandError(`${path} cannot be read.`, { cause });
  });
  const template = await admin.readImage(new Uint8Array(bytes));
  if (typeof template === "string") {
    throw new CommandError(template);
  }
  return template;
};

const readUser = async (
  { admin, store, config, tenant }: Opened,
  environments: ReturnType<typeof parseEnvironments>,
  user: string,
) => {
  const users = await findUsers(openUserAdmin(store, config), tenant.id, environments, user);
  if (users.some(await readOutdated(config))) {
    throw new CommandError(
      "The user's template belongs to another recogniser and cannot match. Block an image instead: --image FILE",
    );
  }
  return await Promise.all(
    users.map(async (found) => ({
      environment: found.environment,
      template: await admin.readTemplateOf(found),
    })),
  );
};

export const runBlocked: Run = async (args) => {
  const { values } = parseOptions(args, { tenant: { type: "string" }, ...jsonOption });
  return await withBlockList(values.tenant, async ({ admin, config, tenant }) => {
    const isOutdated = await readOutdated(config);
    const rows: (readonly string[])[] = [];
    for await (const entry of admin.list(tenant.id)) {
      const { id, environment, at, note, isDamaged, isForged } = entry;
      const state =
        isForged === true ? "forged" : isDamaged ? "damaged" : isOutdated(entry) ? "outdated" : "in use";
      rows.push([id, environment, at.toISOString(), state, note]);
    }
    printListing(["id", "environment", "blocked", "state", "note"], rows, {
      isJson: values.json,
      empty: "No face is blocked.",
    });
    return 0;
  });
};

export const runUnblock: Run = async (args) => {
  const { values } = parseOptions(args, { id: { type: "string" }, tenant: { type: "string" } });
  const { id } = values;
  if (id === undefined) {
    throw new UsageError("Name the face: --id ID, from idem users blocked");
  }
  return await withBlockList(values.tenant, async ({ admin, tenant }) => {
    if (!(await admin.unblock(tenant.id, id))) {
      throw new CommandError("No such face is blocked.");
    }
    say("Unblocked the face.");
    return 0;
  });
};
