import { NETWORKS } from '@slipway/schema/network'
import type { Command } from 'commander'
import { type CommandContext, UsageError } from './command-context.ts'

/** What can follow the words of a command, as far as they are known. */
interface Place {
  /** The words after `slipway`, empty for the first. */
  path: string
  commands: { name: string; summary: string }[]
  options: { name: string; summary: string }[]
  takesFile: boolean
}

const SCRIPTS: Record<string, (places: readonly Place[]) => string> = {
  bash: formatBash,
  zsh: formatZsh,
  fish: formatFish,
}

/** Prints a script that completes commands and options. It is made from the definitions, so it needs no Slipway to run. */
export async function printCompletion({ operands, host, program }: CommandContext): Promise<void> {
  const format = SCRIPTS[operands[0] as string]
  if (!format) throw new UsageError(`completion needs one of ${Object.keys(SCRIPTS).join(', ')}.`)
  host.stdout.write(format(listPlaces(program, '')))
}

function listPlaces(command: Command, path: string): Place[] {
  const { commands } = command
  const place = {
    path,
    commands: commands.map(each => ({ name: each.name(), summary: each.description() })),
    options: [
      ...command.options.map(({ long, description }) => ({ name: long as string, summary: description })),
      { name: '--help', summary: 'show the help' },
    ],
    takesFile: command.registeredArguments.some(argument => argument.name().includes('file')),
  }
  return [place, ...commands.flatMap(each => listPlaces(each, `${path} ${each.name()}`.trim()))]
}

const wordsOf = ({ commands, options }: Place) => [...commands, ...options].map(({ name }) => name).join(' ')
const paths = (places: readonly Place[]) => places.map(({ path }) => `'${path}'`).join('|')
const networks = NETWORKS.join(' ')

/** In both shells: how far the words before the cursor are known as a command. */
const FIND_PATH = (places: readonly Place[]) => `
    case "$known\${known:+ }$word" in
      ${paths(places)}) known="$known\${known:+ }$word" ;;
    esac`

const LIST_WORDS = (places: readonly Place[]) =>
  places.map(place => `\n    '${place.path}') list='${wordsOf(place)}' ;;`).join('')

const filesIn = (places: readonly Place[]) => paths(places.filter(({ takesFile }) => takesFile))

function formatBash(places: readonly Place[]): string {
  return `# Completion of slipway for bash. Add to ~/.bashrc: source <(slipway completion bash)
_slipway() {
  local known='' list='' word current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}"
  COMPREPLY=()
  if [ "$previous" = --network ]; then
    COMPREPLY=($(compgen -W '${networks}' -- "$current"))
    return
  fi
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do${FIND_PATH(places)}
  done
  case "$known" in${LIST_WORDS(places)}
  esac
  COMPREPLY=($(compgen -W "$list" -- "$current"))
  case "$known" in
    ${filesIn(places)}) COMPREPLY+=($(compgen -f -- "$current")) ;;
  esac
}
complete -o filenames -F _slipway slipway
`
}

function formatZsh(places: readonly Place[]): string {
  return `#compdef slipway
# Completion of slipway for zsh. Add to ~/.zshrc, after compinit: source <(slipway completion zsh)
_slipway() {
  local known='' list='' word
  if [[ "\${words[CURRENT - 1]}" == --network ]]; then
    compadd -- ${networks}
    return
  fi
  for word in "\${(@)words[2,CURRENT - 1]}"; do${FIND_PATH(places)}
  done
  case "$known" in${LIST_WORDS(places)}
  esac
  compadd -- \${=list}
  case "$known" in
    ${filesIn(places)}) _files ;;
  esac
}
compdef _slipway slipway
`
}

const quote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

function formatFish(places: readonly Place[]): string {
  const lines = places.flatMap(({ path, commands, options, takesFile }) => {
    const start = `complete -c slipway -n ${quote(`__slipway_at ${quote(path)}`)}`
    return [
      ...(takesFile ? [`${start} -F`] : []),
      ...commands.map(({ name, summary }) => `${start} -a ${name} -d ${quote(summary)}`),
      ...options.map(({ name, summary }) =>
        name === '--network'
          ? `${start} -l network -x -a ${quote(networks)} -d ${quote(summary)}`
          : `${start} -l ${name.slice(2)} -d ${quote(summary)}`,
      ),
    ]
  })
  return `# Completion of slipway for fish. Save as ~/.config/fish/completions/slipway.fish
function __slipway_at
  set -l known
  for word in (commandline -opc)[2..]
    contains -- (string join -- ' ' $known $word) ${places.flatMap(({ path }) => (path ? [quote(path)] : [])).join(' ')}
    and set -a known $word
  end
  test "$known" = "$argv[1]"
end
complete -c slipway -f
${lines.join('\n')}
`
}
