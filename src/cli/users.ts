import type { Caller } from "#contract/endpoint";
import type { PeopleDesk } from "#people/people-desk";
import type { Person } from "#storage/person";
import { CommandError, UsageError } from "./command.ts";

const allWorlds = ["live", "test"] as const;

/** The worlds that an option names: both without it. */
export const parseWorlds = (text: string | undefined): readonly Caller["world"][] => {
  const worlds = allWorlds.filter((world) => text === undefined || world === text);
  if (worlds.length === 0) {
    throw new UsageError("--world takes live or test");
  }
  return worlds;
};

/** The users of that name in the worlds that were asked for; fails where there is none. */
export const findUsers = async (
  desk: PeopleDesk,
  tenantId: string,
  worlds: readonly Caller["world"][],
  userId: string,
): Promise<readonly Person[]> => {
  const looked = await Promise.all(worlds.map((world) => desk.find({ tenantId, world }, userId)));
  const found = looked.filter((person) => person !== undefined);
  if (found.length === 0) {
    throw new CommandError("No such user is registered.");
  }
  return found;
};
