import { readFile } from "node:fs/promises";
import { readConfig } from "../config.ts";
import { type BlockDesk, openBlockDesk, readOutdated } from "../open-block-list.ts";
import { openPeopleDesk, openStore, type ReadyConfig } from "../open-storage.ts";
import type { Store, Tenant } from "../storage/store.ts";
import {
  type Command,
  CommandError,
  opening,
  parseOptions,
  print,
  printTable,
  say,
  UsageError,
} from "./command.ts";
import { findDeployment } from "./first-start.ts";
import { findTenant } from "./tenant.ts";
import { findUsers, parseWorlds } from "./users.ts";

type Opened = {
  readonly desk: BlockDesk;
  readonly store: Store;
  readonly config: ReadyConfig;
  readonly tenant: Tenant;
};

/** Opens the store for one piece of work with a tenant's block list. */
const withBlockList = async (
  tenantName: string | undefined,
  work: (opened: Opened) => Promise<number>,
): Promise<number> => {
  const config = await findDeployment(readConfig());
  const { store, close } = await opening(openStore(config));
  try {
    const tenant = await findTenant(store, tenantName);
    return await work({ desk: openBlockDesk(store, config), store, config, tenant });
  } finally {
    await close();
  }
};

const noteLengthMax = 500;

export const block: Command = {
  summary: "block a face",
  help: `Usage: idem people block --picture FILE --world live|test [--note TEXT] [--tenant NAME]
       idem people block --user ID [--world live|test] [--note TEXT] [--tenant NAME]

Whoever looks like a blocked face is not enrolled, and a document with it is not approved. The face is kept as a
registered template is, sealed and without the picture. Prints its id, by which it is unblocked; the same picture or
template again keeps its entry. A registered user goes on as before; to end that too, delete the user.

  --picture  a file with the face, JPEG or PNG
  --user     takes the template of a registered user
  --world    in which world the face is blocked; of a user, by default, each in which it is registered
  --note     why, for whoever reads the list; sealed too, at most ${noteLengthMax} characters
  --tenant   name of the tenant; needed when there are several

On the embedded store, stop the service first. Services on PostgreSQL heed the list within two seconds.`,
  run: async (args) => {
    const { values } = parseOptions(args, {
      picture: { type: "string" },
      user: { type: "string" },
      note: { type: "string", default: "" },
      tenant: { type: "string" },
      world: { type: "string" },
    });
    const { picture, user, note, world } = values;
    if ((picture === undefined) === (user === undefined)) {
      throw new UsageError("Say whom: --picture FILE or --user ID");
    }
    if (picture !== undefined && world === undefined) {
      throw new UsageError("Say in which world: --world live or --world test");
    }
    if (note.length > noteLengthMax) {
      throw new UsageError(`--note takes at most ${noteLengthMax} characters`);
    }
    const worlds = parseWorlds(world);
    return await withBlockList(values.tenant, async (opened) => {
      const faces =
        user === undefined
          ? [{ world: worlds[0]!, template: await readPicture(opened, picture ?? "") }]
          : await readUser(opened, worlds, user);
      for (const entry of await opened.desk.block(opened.tenant.id, faces, note)) {
        print(entry.id);
        say(
          entry.isNew
            ? `Blocked the face in the ${entry.world} world.`
            : `This very face is blocked in the ${entry.world} world already; the entry stays as it is, with its note.`,
        );
      }
      return 0;
    });
  },
};

const readPicture = async ({ desk }: Opened, path: string): Promise<Uint8Array> => {
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw new CommandError(`${path} cannot be read.`, { cause });
  });
  const template = await desk.readPicture(new Uint8Array(bytes));
  if (typeof template === "string") {
    throw new CommandError(template);
  }
  return template;
};

const readUser = async (
  { desk, store, config, tenant }: Opened,
  worlds: ReturnType<typeof parseWorlds>,
  user: string,
) => {
  const people = await findUsers(openPeopleDesk(store, config), tenant.id, worlds, user);
  if (people.some(await readOutdated(config))) {
    throw new CommandError(
      "The user's template is of another recogniser, and would block nobody. Block a picture instead: --picture FILE",
    );
  }
  return await Promise.all(
    people.map(async (person) => ({ world: person.world, template: await desk.readPerson(person) })),
  );
};

export const blocked: Command = {
  summary: "list the blocked faces",
  help: `Usage: idem people blocked [--tenant NAME]

Prints the blocked faces of a tenant: id, world, since when, state, and what was noted. An outdated face is of another
recogniser, a damaged one cannot be opened; neither matches anybody, and until it is unblocked nobody is enrolled in its
world. Block the person again by a picture, then unblock the old entry.`,
  run: async (args) => {
    const { values } = parseOptions(args, { tenant: { type: "string" } });
    return await withBlockList(values.tenant, async ({ desk, config, tenant }) => {
      const isOutdated = await readOutdated(config);
      const rows: (readonly string[])[] = [];
      for await (const entry of desk.list(tenant.id)) {
        const { id, world, at, note, isDamaged } = entry;
        const state = isDamaged ? "damaged" : isOutdated(entry) ? "outdated" : "in use";
        rows.push([id, world, at.toISOString(), state, note]);
      }
      if (rows.length === 0) {
        say("No face is blocked.");
        return 0;
      }
      printTable([["id", "world", "blocked", "state", "note"], ...rows]);
      return 0;
    });
  },
};

export const unblock: Command = {
  summary: "unblock a face",
  help: `Usage: idem people unblock --id ID [--tenant NAME]

Removes a face from the list, with the key of its template; the tenant's evidence keeps an entry.`,
  run: async (args) => {
    const { values } = parseOptions(args, { id: { type: "string" }, tenant: { type: "string" } });
    const { id } = values;
    if (id === undefined) {
      throw new UsageError("Say which face: --id ID, as idem people blocked prints it");
    }
    return await withBlockList(values.tenant, async ({ desk, tenant }) => {
      if (!(await desk.unblock(tenant.id, id))) {
        throw new CommandError("No such face is blocked.");
      }
      say("Unblocked the face.");
      return 0;
    });
  },
};
