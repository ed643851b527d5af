/** The state of a source tree that a release is made from. */
export type ReleaseState = {
  /** Of package.json and package-lock.json. */
  readonly versions: readonly string[];
  readonly changelog: string;
  readonly contract: string;
  /** api/released/VERSION.yaml; undefined where it is absent. */
  readonly released: string | undefined;
  /** Changed and unknown files, as `git status --porcelain` names them. */
  readonly changes: string;
  readonly licenceFaults: readonly string[];
};

/** The text under `## Unreleased`, up to the next version. */
const unreleasedIn = (changelog: string): string =>
  (/^## Unreleased\n([^]*?)(?=^## |$(?![^]))/m.exec(changelog)?.[1] ?? "").trim();

/** Why no release can be made; empty where it can. Each sentence names the next step. */
export const releaseFaults = (state: ReleaseState): readonly string[] => {
  const [version = ""] = state.versions;
  const heading = new RegExp(
    String.raw`^## ${version.replaceAll(".", String.raw`\.`)} – \d{4}-\d{2}-\d{2}$`,
    "m",
  );
  const faults: readonly (readonly [boolean, string])[] = [
    [
      !/^\d+\.\d+\.\d+$/.test(version) || state.versions.some((one) => one !== version),
      `The versions differ: ${state.versions.join(", ")}. Run npm version --no-git-tag-version ${version}.`,
    ],
    [
      !heading.test(state.changelog),
      `CHANGELOG.md has no line "## ${version} – YYYY-MM-DD". Cut the release there.`,
    ],
    [
      unreleasedIn(state.changelog) !== "",
      "CHANGELOG.md still has lines under 'Unreleased'. Move them to the version.",
    ],
    [
      state.released !== state.contract,
      `api/released/${version}.yaml differs from api/openapi.yaml. Copy it: cp api/openapi.yaml api/released/${version}.yaml.`,
    ],
    [state.changes !== "", `The tree has changes that no commit holds:\n${state.changes}`],
    ...state.licenceFaults.map((fault) => [true, `${fault}.`] as const),
  ];
  return faults.filter(([isFault]) => isFault).map(([, sentence]) => sentence);
};
