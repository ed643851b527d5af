import { ledger } from "#inference/ledger";
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
    await refuseBundled(shelved, wish.word);
    const { slot, models } = await chooseModels(shelved, wish.word, role);
    const names = models.map(({ manifest }) => `${manifest.name} ${manifest.version}`).join(" and ");
    const does = verb === "use" ? "at work" : "looking on";
    say(`${slot}: ${names} ${models.length === 1 ? "is" : "are"} ${does} from the next start on.`);
    warnOfTemplates(slot);
    return 0;
  };

/** A bundled network is no choice. */
const refuseBundled = async ({ shelf }: Models, word: string): Promise<void> => {
  const slot = Object.entries(ledger).find(([name]) => name === word)?.[1].slot;
  if (slot === undefined) return;
  const isRivalled = (await shelf.list()).some(({ manifest }) => manifest.slot === slot);
  const out = ` in its place; to take one out: idem models use --none ${slot}`;
  throw new CommandError(
    `${word} is bundled: it works as ${slot} wherever no added model is${isRivalled ? out : " in its place. Nothing needs to be done."}`,
  );
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
