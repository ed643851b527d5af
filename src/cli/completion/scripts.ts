/** Completion scripts of three shells. Words come from the program alone, and hold no quotes. */
import type { CommandWords } from "./command-words.ts";

export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

const namesOf = (all: readonly CommandWords[]): string => all.map(({ name }) => name).join(" ");

const bash = (
  all: readonly CommandWords[],
): string => `# Completion of idem for bash: source this file, or put it into the folder of completions.
_idem() {
  local current=\${COMP_WORDS[COMP_CWORD]} actions= options= words=
  case \${COMP_WORDS[1]} in
${all.map(({ name, actions, options }) => `    ${name}) actions="${actions.join(" ")}" options="${options.join(" ")}" ;;`).join("\n")}
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then words="${namesOf(all)} help"
  elif [[ $current == -* ]]; then words=$options
  elif [ "$COMP_CWORD" -eq 2 ]; then words=$actions
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
# Where no word fits, bash completes the names of files.
complete -o default -F _idem idem ./idem
`;

const zsh = (all: readonly CommandWords[]): string => `#compdef idem ./idem
# Completion of idem for zsh: put it as _idem into a folder of $fpath.
_idem() {
  local -a commands actions options
  if (( CURRENT == 2 )); then
    commands=(
${all.map(({ name, summary }) => `      '${name}:${summary.replaceAll("'", "")}'`).join("\n")}
    )
    _describe command commands
    return
  fi
  case $words[2] in
${all.map(({ name, actions, options }) => `    ${name}) actions=(${actions.join(" ")}) options=(${options.join(" ")}) ;;`).join("\n")}
  esac
  if [[ $PREFIX == -* ]]; then
    compadd -- $options
  elif (( CURRENT == 3 && $#actions )); then
    compadd -- $actions
  else
    _files
  fi
}
if [ "$funcstack[1]" = "_idem" ]; then
  _idem "$@"
else
  compdef _idem idem ./idem
fi
`;

const fishOf = ({ name, summary, actions, options }: CommandWords): readonly string[] => {
  const seen = `-n '__fish_seen_subcommand_from ${name}'`;
  return [
    `complete -c idem -n __fish_use_subcommand -f -a ${name} -d '${summary.replaceAll("'", "")}'`,
    ...(actions.length === 0 ? [] : [`complete -c idem ${seen} -a '${actions.join(" ")}'`]),
    ...options.map((option) => `complete -c idem ${seen} -l ${option.slice(2)}`),
  ];
};

const fish = (all: readonly CommandWords[]): string =>
  [
    "# Completion of idem for fish: put it as idem.fish into ~/.config/fish/completions",
    ...all.flatMap(fishOf),
    "",
  ].join("\n");

const writers: Readonly<Record<Shell, (all: readonly CommandWords[]) => string>> = { bash, zsh, fish };

export const writeCompletion = (shell: Shell, all: readonly CommandWords[]): string => writers[shell](all);
