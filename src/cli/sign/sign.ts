import { openPdf } from "#features/signing/pdf/open-pdf";
import { refuseBroken } from "#features/signing/verify/refuse-broken";
import { signProven } from "#features/signing/verify/sign-proven";
import { parseOptions, print, type Run, UsageError } from "../command.ts";
import { changePdf } from "./open-signing.ts";

export const runSign: Run = async (args) => {
  const { values, positionals } = parseOptions(
    args,
    {
      out: { type: "string" },
      reason: { type: "string" },
      location: { type: "string" },
      certify: { type: "string" },
    },
    true,
  );
  const files = filesOf("sign", positionals, values.out);
  const certify = certificationOf(values.certify);
  const bytes = await changePdf(files, { repairs: true }, async (sent, { terms, ports }) => {
    const { signer, level, known, bytesMax, repair } = terms;
    const revision = {
      at: new Date(),
      ...(values.reason !== undefined && { reason: values.reason }),
      ...(values.location !== undefined && { location: values.location }),
      ...(certify !== undefined && { certify }),
    };
    const opened = await openPdf(sent, { limits: { bytesMax }, requiresContents: true, repair });
    await refuseBroken(opened.original, revision.at);
    return (await signProven(opened, { signer, level, known, revision }, ports)).parts;
  });
  print(`${files.out}: ${bytes} bytes`);
  return 0;
};

/** The two files of a command. Throws UsageError where one is missing. */
export const filesOf = (command: string, names: readonly string[], out: string | undefined) => {
  const [file, ...others] = names;
  if (file === undefined || others.length > 0)
    throw new UsageError(`Name one file: idem ${command} FILE --out OUT`);
  if (out === undefined) throw new UsageError("Name the file to write: --out OUT");
  return { file, out };
};

const certificationOf = (text: string | undefined): 1 | 2 | 3 | undefined => {
  if (text === undefined) return undefined;
  const level = ([1, 2, 3] as const).find((one) => String(one) === text);
  if (level === undefined) throw new UsageError(`--certify is ${JSON.stringify(text)}. Use 1, 2 or 3.`);
  return level;
};
