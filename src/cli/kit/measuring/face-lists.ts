import { dirname } from "node:path";
import { CommandError } from "../../command.ts";
import { checkImages, type ListRow, readList } from "../list-file.ts";

export type Face = { readonly path: string; readonly name: string };
export type Faces = { readonly faces: readonly Face[]; readonly root: string };

/** Reads a list of images, each with a name in `column`, and checks that every image exists. */
export const readFaces = async (list: string, root: string, column: string): Promise<Faces> => {
  const rows = await readList(list, ["path", column]);
  const option = column === "group" ? "--groups-root" : "--root";
  await checkImages(imagesOf(rows, ["path"], list), root, option);
  return { root, faces: rows.map(({ cells }) => ({ path: cells["path"] ?? "", name: cells[column] ?? "" })) };
};

export const readGroups = async ({
  groups,
  root,
  "groups-root": ownRoot = root,
}: {
  readonly groups?: string | undefined;
  readonly root?: string | undefined;
  readonly "groups-root"?: string | undefined;
}): Promise<Faces | undefined> =>
  groups === undefined ? undefined : await readFaces(groups, ownRoot ?? dirname(groups), "group");

export type Pair = { readonly a: string; readonly b: string; readonly isGenuine: boolean };

export const readPairs = async (list: string, root: string): Promise<readonly Pair[]> => {
  const rows = await readList(list, ["image_a", "image_b", "same"]);
  const pairs = rows.map((row) => ({
    a: row.cells["image_a"] ?? "",
    b: row.cells["image_b"] ?? "",
    isGenuine: isSame(row, list),
  }));
  await checkImages(imagesOf(rows, ["image_a", "image_b"], list), root);
  return pairs;
};

/** Images of a row by column, with their place in the list. */
const imagesOf = (rows: readonly ListRow[], columns: readonly string[], list: string) =>
  rows.flatMap(({ line, cells }) =>
    columns.map((column) => ({ path: cells[column] ?? "", where: `Line ${line} of ${list}` })),
  );

/**
 * Accepted values of `same`. Others are refused: a genuine pair counted as an impostor pair spoils every
 * figure.
 */
const sameWords: Readonly<Record<string, boolean>> = { 1: true, true: true, 0: false, false: false };

const isSame = ({ line, cells }: ListRow, list: string): boolean => {
  const word = cells["same"] ?? "";
  const same = Object.hasOwn(sameWords, word.toLowerCase()) ? sameWords[word.toLowerCase()] : undefined;
  if (same === undefined) {
    throw new CommandError(
      `Line ${line} of ${list} has ${JSON.stringify(word)} as same. Write 1 or true for one person, 0 or false for two.`,
    );
  }
  return same;
};
