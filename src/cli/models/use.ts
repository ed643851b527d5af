import { chooseModels, emptySlot, type Models, removeModels, slotNamed } from "#app/models";
import type { Manifest } from "#machine/models/manifest";
import { ledger } from "#machine/networks/ledger";
import { CommandError, parseOptions, say, UsageError } from "../command.ts";

type Wish = { readonly word: string } | { readonly none: string };

const wishOf = (verb: string, args: readonly string[]): Wish => {
  const { values, positionals } = parseOptions(args, { none: { type: "string" } }, true);
  const [word, ...others] = positionals;
  if (others.length > 0 || (word === undefined) === (values.none === undefined)) {
    throw new UsageError(`Use: idem models ${verb} NAME | --none SLOT`);
  }
  return word === undefined ? { none: values.none ?? "" } : { word };
};

const change =
  (verb: "use" | "shadow") =>
  async (models: Models, args: readonly string[]): Promise<number> => {
    const { modelStore } = models;
    const wish = wishOf(verb, args);
    const role = verb === "use" ? "active" : "shadow";
    if ("none" in wish) {
      const slot = slotNamed(wish.none);
      await emptySlot(modelStore, slot, role);
      say(
        `${slot}: no added model ${verb === "use" ? "decides" : "runs in shadow mode"} from the next start on.`,
      );
      warnOfTemplates(slot);
      return 0;
    }
    await refuseBundled(models, verb, wish.word);
    const { slot, models: chosen } = await chooseModels(models, wish.word, role);
    const names = chosen.map(({ manifest }) => `${manifest.name} ${manifest.version}`).join(" and ");
    const does = verb === "use" ? "at work" : "in shadow mode";
    say(`${slot}: ${names} ${chosen.length === 1 ? "is" : "are"} ${does} from the next start on.`);
    warnOfTemplates(slot);
    return 0;
  };

/** A bundled network cannot be selected. */
const refuseBundled = async ({ modelStore }: Models, verb: string, word: string): Promise<void> => {
  const slot = Object.entries(ledger).find(([name]) => name === word)?.[1].slot;
  if (slot === undefined) return;
  const installed = (await modelStore.list()).map(({ manifest }) => manifest);
  const namesakes = installed.filter(({ name, group }) => name === word || group === word);
  const isRivalled = namesakes.length > 0 || installed.some((one) => one.slot === slot);
  const out = ` in its place; to take one out: idem models use --none ${slot}`;
  const lines = [
    `${word} is bundled: it works as ${slot} wherever no added model is${isRivalled ? out : " in its place. Nothing needs to be done."}`,
    ...namesakes.map((one) => adviseNamesake(one, verb, word)),
  ];
  throw new CommandError(lines.join("\n"));
};

/**
 * Advice for a model that an earlier release installed under the present name or group of a bundled network.
 */
const adviseNamesake = ({ name, sha256 }: Manifest, verb: string, word: string): string => {
  const digits = sha256.slice(0, 8);
  return `An installed model has the same ${name === word ? "name" : "group"}. To mean ${name}, say its SHA-256: idem models ${verb} ${digits}. Or idem models remove ${digits}, and add it with another ${name === word ? "name" : "group"} in its manifest.`;
};

const templateWarning = [
  "Templates of another recogniser are not compared any more: their users' calls answer 409 until updateUserTemplate moves",
  "them. With a blocked face of another recogniser no user is enrolled in its environment (503), and documents wait for review.",
  "In this order:",
  "  1. Where IDEM_DUPLICATES=refuse: set flag. With refuse no user is enrolled until every user has moved.",
  "  2. Each outdated face of idem users blocked: block the person again (idem users block --image), then unblock the old entry.",
  "  3. Start the service and let the users move. After that: IDEM_DUPLICATES=refuse again.",
];

/** Warns of the effect of another recogniser on registered and blocked faces. */
const warnOfTemplates = (slot: string): void => {
  if (slot !== "face-recogniser") return;
  for (const line of templateWarning) say(line);
};

/** Runs `idem models use`. */
export const useModel = change("use");
/** Runs `idem models shadow`. */
export const shadowModel = change("shadow");

/** Runs `idem models remove`. */
export const removeModel = async ({ modelStore }: Models, args: readonly string[]): Promise<number> => {
  const { positionals } = parseOptions(args, {}, true);
  const [word, ...others] = positionals;
  if (word === undefined || others.length > 0)
    throw new UsageError("Name the model: idem models remove NAME");
  for (const { manifest } of await removeModels(modelStore, word)) {
    say(`${manifest.name} (${manifest.sha256.slice(0, 12)}) is removed.`);
  }
  return 0;
};
