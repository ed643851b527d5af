import { readFile } from "node:fs/promises";
import { type BlockListAdmin, openBlockListAdmin, readOutdated } from "#app/block-list";
import { openUserAdmin } from "#app/storage";
import type { Caller } from "#contract/endpoint";
import { CommandError, print, printListing, say, UsageError } from "../command.ts";
import type { Work } from "../kit/action.ts";
import { environmentOption } from "../kit/options.ts";
import { type OpenedTenant, withTenant } from "../kit/store/with-tenant.ts";
import type * as words from "./block-list.command.ts";
import { findUsers } from "./find-users.ts";

type Environment = Caller["environment"];

export const block: Work<typeof words.block> = async ({ image, user, environment, note, tenant: name }) => {
  if ((image === undefined) === (user === undefined)) {
    throw new UsageError("Name the face: --image FILE or --user ID");
  }
  const facesOf = user === undefined ? imageReader(image ?? "", environment) : userReader(user, environment);
  return await withTenant(name, async (opened) => {
    const admin = openBlockListAdmin(opened.sealedStore, opened.config);
    for (const entry of await admin.block(opened.tenant.id, await facesOf(opened, admin), note)) {
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

type ReadFaces = (
  opened: OpenedTenant,
  admin: BlockListAdmin,
) => Promise<readonly { readonly environment: Environment; readonly template: Uint8Array }[]>;

const imageReader = (path: string, environment: Environment | undefined): ReadFaces => {
  if (environment === undefined) throw new UsageError(environmentOption.needed);
  return async (_, admin) => {
    const bytes = await readFile(path).catch((cause: unknown) => {
      throw new CommandError(`${path} cannot be read.`, { cause });
    });
    const template = await admin.readImage(new Uint8Array(bytes));
    if (typeof template === "string") {
      throw new CommandError(template);
    }
    return [{ environment, template }];
  };
};

const userReader =
  (user: string, environment: Environment | undefined): ReadFaces =>
  async ({ sealedStore, config, tenant }, admin) => {
    const users = await findUsers(openUserAdmin(sealedStore, config), tenant.id, environment, user);
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

export const blocked: Work<typeof words.blocked> = ({ tenant: name, json }) =>
  withTenant(name, async ({ sealedStore, config, tenant }) => {
    const isOutdated = await readOutdated(config);
    const rows: (readonly string[])[] = [];
    for await (const entry of openBlockListAdmin(sealedStore, config).list(tenant.id)) {
      const { id, environment, at, note, isDamaged, isForged } = entry;
      const state =
        isForged === true ? "forged" : isDamaged ? "damaged" : isOutdated(entry) ? "outdated" : "in use";
      rows.push([id, environment, at.toISOString(), state, note]);
    }
    printListing(["id", "environment", "blocked", "state", "note"], rows, {
      isJson: json,
      empty: "No face is blocked.",
    });
    return 0;
  });

export const unblock: Work<typeof words.unblock> = ({ id, tenant: name }) =>
  withTenant(name, async ({ sealedStore, config, tenant }) => {
    if (!(await openBlockListAdmin(sealedStore, config).unblock(tenant.id, id))) {
      throw new CommandError("No such face is blocked.");
    }
    say("Unblocked the face.");
    return 0;
  });
