import type { PeopleDesk } from "#people/people-desk";
import type { Person } from "#storage/person";
import { readConfig } from "../config.ts";
import { openPeopleDesk, openStore } from "../open-storage.ts";
import { type Command, opening, parseOptions, printTable, say, UsageError } from "./command.ts";
import { findDeployment } from "./first-start.ts";
import { findTenant } from "./tenant.ts";
import { findUsers, parseWorlds } from "./users.ts";

export const people: Command = {
  summary: "look a registered user up, enable a disabled one, block faces",
  topics: {
    block: async () => (await import("./people-block.ts")).block,
    blocked: async () => (await import("./people-block.ts")).blocked,
    unblock: async () => (await import("./people-block.ts")).unblock,
  },
  help: `Usage: idem people show --user ID [--tenant NAME] [--world live|test]
       idem people enable --user ID [--tenant NAME] [--world live|test]
       idem people block | blocked | unblock    faces that are not to be enrolled; each has its own --help

show     prints what is kept of a user beside the sealed template: world, state, failures in a row, when it was
         enrolled and when its template was last replaced
enable   ends the pause or the disabling after failed attempts, and forgets the failures; the tenant's evidence
         keeps an entry

  --user     the identifier by which the caller knows the user
  --tenant   name of the tenant; needed when there are several
  --world    live or test; without it both are looked into

Users are deleted by DELETE /services/authenticateUser, a whole tenant by idem erase. On the embedded store, stop the
service first: one process owns the data directory.`,
  run: async ([verb, ...args]) => {
    if (verb !== "show" && verb !== "enable") {
      throw new UsageError("Say what to do: idem people show | enable | block | blocked | unblock");
    }
    const { values } = parseOptions(args, {
      user: { type: "string" },
      tenant: { type: "string" },
      world: { type: "string" },
    });
    const { user } = values;
    if (user === undefined) {
      throw new UsageError("Say which user: --user ID");
    }
    const worlds = parseWorlds(values.world);
    const config = await findDeployment(readConfig());
    const { store, close } = await opening(openStore(config));
    try {
      const tenant = await findTenant(store, values.tenant);
      const desk = openPeopleDesk(store, config);
      const found = await findUsers(desk, tenant.id, worlds, user);
      return verb === "show" ? show(found) : await enable(desk, found);
    } finally {
      await close();
    }
  },
};

const stateOf = ({ pausedUntil, disabledAt }: Person): string => {
  if (disabledAt !== undefined) {
    return `disabled ${disabledAt.toISOString()}`;
  }
  return pausedUntil !== undefined && pausedUntil > new Date()
    ? `paused until ${pausedUntil.toISOString()}`
    : "enabled";
};

const show = (found: readonly Person[]): number => {
  printTable([
    ["world", "state", "failures", "enrolled", "template replaced", "recogniser"],
    ...found.map((person) => [
      person.world,
      stateOf(person),
      String(person.failures),
      person.enrolledAt.toISOString(),
      person.revision === 1 ? "never" : person.renewedAt.toISOString(),
      person.recogniser.slice(0, 12),
    ]),
  ]);
  return 0;
};

const enable = async (desk: PeopleDesk, found: readonly Person[]): Promise<number> => {
  for (const person of found) {
    if (await desk.enable(person)) {
      say(`Enabled the ${person.world} user.`);
    }
  }
  return 0;
};
