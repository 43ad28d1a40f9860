/** What a program is run with: the folder it works in, and what else it may read. */
export type ConfinedRun = {
  command: string
  args: readonly string[]
  /** The one folder that the program may write to. */
  folder: string
  /** Further files and folders that the program may read, absolute. */
  readable?: readonly string[]
}

export type SandboxKind = 'bubblewrap' | 'unshare' | 'none'

/** How programs that read hostile files are kept from the network and from all files but their own. */
export type Sandbox = {
  kind: SandboxKind
  /** The command line that runs the program inside the sandbox. */
  wrap(run: ConfinedRun): { command: string; args: string[] }
}

/** Where the system gives no means: private folders, sanitised files and limits remain. */
export const noSandbox: Sandbox = {
  kind: 'none',
  wrap: ({ command, args }) => ({ command, args: [...args] }),
}
