"""Makes the completions for bash, zsh and fish from the command's description.

    python3 packaging/completion.py DESCRIPTION.json FOLDER
"""
from __future__ import annotations

import json
import sys
from pathlib import Path

# Commands whose positional words are a program with its own arguments, which the description cannot say.
STARTS_PROGRAMS = {"run"}
# Values of options that are names of files.
FILES = {"COPY"}


def quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def named_options(command: dict) -> list[dict]:
    return [option for option in command["options"] if option["names"]]


def takes_files(command: dict) -> bool:
    return any(option["positional"] for option in command["options"])


def words_of_positional(command: dict) -> list[str]:
    """Returns the words that a positional argument may be; empty if any word may follow."""
    return [word for option in command["options"] if option["positional"] for word in option["words"]]


def option_names(command: dict) -> str:
    return " ".join(name for option in named_options(command) for name in option["names"])


# bash

BASH = """# bash completion for anympi; made by packaging/completion.py

# Offers the MPIs of this machine, or files if no MPI has such a name. Opening the MPIs may take long, so they are only looked
# for. With `-o filenames` bash would put a backslash before the colon of a name.
_anympi_offer_mpis() {{
    local name
    while read -r name; do
        [[ $name == "$before$word"* ]] && found+=("${{name#"$before"}}")
    done < <(timeout 2 anympi list --names 2>/dev/null)
    [[ ${{found[*]}} ]] || {{ compopt -o filenames && mapfile -t found < <(compgen -f -- "$word"); }}
}}

# Bash breaks words at colons, and names of MPIs may have one (mpich-5.0.2:vendor): sets `before` to the part of the name
# before `word`, with its colon, and `previous` to the option.
_anympi_read_name() {{
    if ((COMP_CWORD >= 2)) && [[ $word == : && ${{COMP_WORDS[COMP_CWORD - 2]}} == --mpi ]]; then
        before=$previous: word='' previous=--mpi
    elif ((COMP_CWORD >= 3)) && [[ $previous == : && ${{COMP_WORDS[COMP_CWORD - 3]}} == --mpi ]]; then
        before=${{COMP_WORDS[COMP_CWORD - 2]}}: previous=--mpi
    fi
}}

# Sets `command` to the command on the line, and `program` to the first word after it that is neither an option nor a value.
_anympi_read_line() {{
    local i previous=''
    for ((i = 1; i < COMP_CWORD; i++)); do
        case $previous in
        {valued})
            previous=''
            [[ ${{COMP_WORDS[i + 1]}} == : ]] && ((i += 2)) # the rest of a name with a colon
            continue
            ;;
        esac
        previous=${{COMP_WORDS[i]}}
        [[ $previous == -* ]] && continue
        [[ $command ]] && program=$previous && return
        command=$previous
    done
}}

_anympi() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}} command='' program='' before=''
    local -a found=()
    _anympi_read_line
    _anympi_read_name
    case $command:$previous in
{values}    :*) mapfile -t found < <(compgen -W {words} -- "$word") ;;
{commands}    esac
    COMPREPLY=("${{found[@]}}")
}}

# anympi's mpiexec is `anympi run`.
_anympi_mpiexec() {{
    COMP_WORDS=(anympi run "${{COMP_WORDS[@]:1}}")
    ((COMP_CWORD++))
    _anympi
}}

complete -F _anympi anympi
complete -F _anympi_mpiexec mpiexec
"""


def bash_values(command: dict) -> str:
    text = ""
    for option in named_options(command):
        if not option["value"]:
            continue
        pattern = " | ".join(f"{command['name']}:{name}" for name in option["names"])
        if option["value"] == "MPI":
            action = "_anympi_offer_mpis"
        elif option["value"] in FILES:
            action = 'compopt -o filenames && mapfile -t found < <(compgen -f -- "$word")'
        else:
            action = ":"
        text += f"    {pattern}) {action} ;;\n"
    return text


def bash_commands_below(command: dict) -> str:
    """`anympi config set KEY VALUE`: `program` is the command below, and the key follows it or its options."""
    def offer(words: str) -> str:
        return f'mapfile -t found < <(compgen -W {quoted(words)} -- "$word") ;;\n'

    below = command["commands"]
    text = "        case $program:$previous in\n"
    text += "        :*) " + offer(" ".join([*(one["name"] for one in below), option_names(command)]))
    for one in below:
        if words := words_of_positional(one):
            name = one["name"]
            text += f"        {name}:{name} | {name}:-*) " + offer(" ".join([*words, option_names(one)]))
        text += f"        {one['name']}:*) " + offer(option_names(one))
    return text + "        esac\n"


def bash_command(command: dict) -> str:
    words = quoted(option_names(command))
    text = f"    {command['name']}:*)\n"
    if command["name"] in STARTS_PROGRAMS:
        text += ("        if [[ $program ]]; then\n"
                 '            compopt -o filenames && mapfile -t found < <(compgen -f -- "$word")\n'
                 "        elif [[ $word == -* ]]; then\n"
                 f'            mapfile -t found < <(compgen -W {words} -- "$word")\n'
                 "        else\n"
                 '            compopt -o filenames && mapfile -t found < <(compgen -fc -- "$word")\n'
                 "        fi\n")
    elif command["commands"]:
        text += bash_commands_below(command)
    elif takes_files(command):
        text += ("        if [[ $word == -* ]]; then\n"
                 f'            mapfile -t found < <(compgen -W {words} -- "$word")\n'
                 "        else\n"
                 '            compopt -o filenames && mapfile -t found < <(compgen -f -- "$word")\n'
                 "        fi\n")
    else:
        text += f'        mapfile -t found < <(compgen -W {words} -- "$word")\n'
    return text + "        ;;\n"


def bash(command: dict) -> str:
    commands = command["commands"]
    valued = [name for one in commands for option in named_options(one) if option["value"] for name in option["names"]]
    words = " ".join(one["name"] for one in commands) + " " + option_names(command)
    return BASH.format(valued=" | ".join(valued), words=quoted(words),
                       values="".join(bash_values(one) for one in commands),
                       commands="".join(bash_command(one) for one in commands))


# zsh

ZSH = """#compdef anympi
# zsh completion for anympi; made by packaging/completion.py

_anympi_mpi() {{
    local -a names=(${{(f)"$(timeout 2 anympi list --names 2>/dev/null)"}}) # opens no MPI, which may take long
    _alternative 'names:MPI:compadd -a names' 'files:file:_files'
}}

_anympi_program() {{
    _alternative 'commands:command:_command_names -e' 'files:file:_files'
}}

_anympi() {{
    local state
    local -a commands
    commands=(
{names}    )
    _arguments -C \\
{options}        '1: :->command' '*:: :->words'
    case $state in
    command) _describe -t commands command commands ;;
    words)
        case $words[1] in
{commands}        esac
        ;;
    esac
}}

_anympi "$@"
"""


def zsh_text(text: str) -> str:
    for character in "\\[]:":
        text = text.replace(character, "\\" + character)
    return text


def zsh_option(option: dict) -> str:
    files = "_files" if option["value"] in FILES else ""
    value = {"": "", "MPI": ":MPI:_anympi_mpi"}.get(option["value"], f":{option['value']}:{files}")
    others = "(" + " ".join(option["names"]) + ")"
    return " ".join(quoted(f"{others}{name}[{zsh_text(option['text'])}]{value}") for name in option["names"])


def zsh_commands_below(command: dict) -> str:
    """`anympi config set KEY VALUE`, after the options of `config`."""
    below = command["commands"]
    text = f" '1:command:({' '.join(one['name'] for one in below)})' '*:: :->below'\n            case $words[1] in\n"
    for one in below:
        words = words_of_positional(one)
        key = f" '1:word:({' '.join(words)})'" if words else ""
        text += f"            {one['name']}) _arguments {' '.join(zsh_option(option) for option in named_options(one))}{key} ;;\n"
    return text + "            esac\n           "


def zsh_command(command: dict) -> str:
    rest = ""
    if command["commands"]:
        options = " ".join(zsh_option(option) for option in named_options(command))
        return f"        {command['name']}) _arguments -C {options}{zsh_commands_below(command)} ;;\n"
    if command["name"] in STARTS_PROGRAMS:
        rest = " '(-):program:_anympi_program' '*::arguments: _normal'"
    elif takes_files(command):
        rest = " '*:file:_files'"
    options = " ".join(zsh_option(option) for option in named_options(command))
    return f"        {command['name']}) _arguments {options}{rest} ;;\n"


def zsh(command: dict) -> str:
    names = [f"        {quoted(one['name'] + ':' + zsh_text(one['text']))}\n" for one in command["commands"]]
    options = [f"        {zsh_option(option)} \\\n" for option in named_options(command)]
    return ZSH.format(names="".join(names), options="".join(options),
                      commands="".join(zsh_command(one) for one in command["commands"]))


# fish

def fish_option(option: dict, condition: str) -> str:
    names = [f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option["names"]]
    value = {"": "", "MPI": " -r -F -a '(timeout 2 anympi list --names 2>/dev/null)'"}.get(option["value"], " -r -F" if option["value"] in FILES else " -x")
    return f"complete -c anympi -n {quoted(condition)} {' '.join(names)}{value} -d {quoted(option['text'])}\n"


def fish_commands_below(command: dict, condition: str) -> list[str]:
    below = command["commands"]
    names = " ".join(one["name"] for one in below)
    lines = []
    for one in below:
        lines.append(f"complete -c anympi -n {quoted(f'{condition}; and not __fish_seen_subcommand_from {names}')} "
                     f"-a {one['name']} -d {quoted(one['text'])}\n")
        if words := words_of_positional(one):
            lines.append(f"complete -c anympi -n {quoted(f'{condition}; and __fish_seen_subcommand_from ' + one['name'])} "
                         f"-a {quoted(' '.join(words))}\n")
    return lines


def fish(command: dict) -> str:
    lines = ["# fish completion for anympi; made by packaging/completion.py\n", "complete -c anympi -f\n"]
    lines += [fish_option(option, "__fish_use_subcommand") for option in named_options(command)]
    for one in command["commands"]:
        lines.append(f"complete -c anympi -n __fish_use_subcommand -a {one['name']} -d {quoted(one['text'])}\n")
        condition = f"__fish_seen_subcommand_from {one['name']}"
        lines += [fish_option(option, condition) for option in named_options(one)]
        if one["name"] in STARTS_PROGRAMS:
            lines.append(f"complete -c anympi -n {quoted(condition)} -a '(__fish_complete_subcommand --fcs-skip=2)'\n")
            lines.append(f"complete -c anympi -n {quoted(condition)} -F\n")
        elif takes_files(one):
            lines.append(f"complete -c anympi -n {quoted(condition)} -F\n")
        lines += fish_commands_below(one, condition)
    return "".join(lines)


def main(description: str, folder: str) -> None:
    command = json.loads(Path(description).read_text())
    Path(folder).mkdir(parents=True, exist_ok=True)
    for name, text in {"anympi": bash(command), "_anympi": zsh(command), "anympi.fish": fish(command)}.items():
        (Path(folder) / name).write_text(text)
    # bash looks for a file with the name of the command.
    (Path(folder) / "mpiexec").write_text('source "${BASH_SOURCE[0]%/*}/anympi"\n')


if __name__ == "__main__":
    main(*sys.argv[1:])
