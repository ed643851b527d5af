import { ledger } from "#inference/ledger";
import type { Manifest } from "#models/manifest";
import { chooseModels, emptySlot, type Models, removeModels, slotNamed } from "../open-models.ts";
import { CommandError, parseOptions, say, UsageError } from "./command.ts";

type Wish = { readonly word: string } | { readonly none: string };

const wishOf = (verb: string, args: readonly string[]): Wish => {
  const { values, positionals } = parseOptions(args, { none: { type: "string" } }, true);
  const [word, ...others] = positionals;
  if (others.length > 0 || (word === undefined) === (values.none === undefined)) {
    throw new UsageError(`Say one of: idem models ${verb} NAME | --none SLOT`);
  }
  return word === undefined ? { none: values.none ?? "" } : { word };
};

const change =
  (verb: "use" | "shadow") =>
  async (shelved: Models, args: readonly string[]): Promise<number> => {
    const { shelf } = shelved;
    const wish = wishOf(verb, args);
    const role = verb === "use" ? "active" : "shadow";
    if ("none" in wish) {
      const slot = slotNamed(wish.none);
      await emptySlot(shelf, slot, role);
      say(`${slot}: no added model ${verb === "use" ? "decides" : "looks on"} from the next start on.`);
      warnOfTemplates(slot);
      return 0;
    }
    await refuseBundled(shelved, verb, wish.word);
    const { slot, models } = await chooseModels(shelved, wish.word, role);
    const names = models.map(({ manifest }) => `${manifest.name} ${manifest.version}`).join(" and ");
    const does = verb === "use" ? "at work" : "looking on";
    say(`${slot}: ${names} ${models.length === 1 ? "is" : "are"} ${does} from the next start on.`);
    warnOfTemplates(slot);
    return 0;
  };

/** A bundled network is no choice. */
const refuseBundled = async ({ shelf }: Models, verb: string, word: string): Promise<void> => {
  const slot = Object.entries(ledger).find(([name]) => name === word)?.[1].slot;
  if (slot === undefined) return;
  const installed = (await shelf.list()).map(({ manifest }) => manifest);
  const namesakes = installed.filter(({ name, group }) => name === word || group === word);
  const isRivalled = namesakes.length > 0 || installed.some((one) => one.slot === slot);
  const out = ` in its place; to take one out: idem models use --none ${slot}`;
  const lines = [
    `${word} is bundled: it works as ${slot} wherever no added model is${isRivalled ? out : " in its place. Nothing needs to be done."}`,
    ...namesakes.map((one) => adviseNamesake(one, verb, word)),
  ];
  throw new CommandError(lines.join("\n"));
};

/** Of a model that an earlier release installed under a name, or in a group, that a bundled network bears now. */
const adviseNamesake = ({ name, sha256 }: Manifest, verb: string, word: string): string => {
  const digits = sha256.slice(0, 8);
  return `An installed model has the same ${name === word ? "name" : "group"}. To mean ${name}, say its SHA-256: idem models ${verb} ${digits}. Or idem models remove ${digits}, and add it with another ${name === word ? "name" : "group"} in its manifest.`;
};

const templateWarning = [
  "Templates of another recogniser are compared no more: their users' calls answer 409 until updateUserTemplate moves",
  "them. Past a blocked face of another recogniser nobody is enrolled in its world (503), and documents wait for a review.",
  "In this order:",
  "  1. Where IDEM_DUPLICATES=refuse: set flag. With refuse nobody is enrolled until every user has moved.",
  "  2. Each outdated face of idem people blocked: idem people block --picture the person again, then unblock the old entry.",
  "  3. Start, and let the users move. Once all have: IDEM_DUPLICATES=refuse again.",
];

/** What a change of the recogniser means for faces that are known already. */
const warnOfTemplates = (slot: string): void => {
  if (slot !== "face-recogniser") return;
  for (const line of templateWarning) say(line);
};

/** `idem models use`. */
export const useModel = change("use");
/** `idem models shadow`. */
export const shadowModel = change("shadow");

/** `idem models remove`. */
export const removeModel = async ({ shelf }: Models, args: readonly string[]): Promise<number> => {
  const { positionals } = parseOptions(args, {}, true);
  const [word, ...others] = positionals;
  if (word === undefined || others.length > 0) throw new UsageError("Say which: idem models remove NAME");
  for (const { manifest } of await removeModels(shelf, word)) {
    say(`${manifest.name} (${manifest.sha256.slice(0, 12)}) is removed.`);
  }
  return 0;
};
