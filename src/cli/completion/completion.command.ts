import { type Command, type ListedCommand, print, wrongWord } from "../command.ts";
import { readCommandWords } from "./command-words.ts";
import { shells, writeCompletion } from "./scripts.ts";

/** The command over the table that lists it. */
export const makeCompletion = (commands: Readonly<Record<string, ListedCommand>>): Command => ({
  help: `Usage: idem completion bash | zsh | fish

Prints the completion of commands, actions and options for a shell. Its words come from the options that a command states, or else from its help text. Print it again after an update.

  bash   ./idem completion bash > ~/.local/share/bash-completion/completions/idem
  zsh    ./idem completion zsh > a folder of $fpath, as _idem
  fish   ./idem completion fish > ~/.config/fish/completions/idem.fish`,
  run: async ([given]) => {
    const shell = shells.find((one) => one === given);
    if (shell === undefined) throw wrongWord("shell", "completion", given, shells);
    print(writeCompletion(shell, await readCommandWords(commands)).trimEnd());
    return 0;
  },
});
