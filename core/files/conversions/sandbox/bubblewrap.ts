import type { Sandbox } from './sandbox.js'
import type { SystemFile } from './system-files.js'

/** A sandbox by `bwrap`, the program of bubblewrap: no network, no other processes, a file system of its own. */
export const createBubblewrap = (bwrap: string, system: readonly SystemFile[]): Sandbox => {
  const mounts = system.flatMap((part) => {
    if (part.kind === 'link') return ['--symlink', part.target, part.path]
    return part.kind === 'hidden' ? ['--tmpfs', part.path] : ['--ro-bind', part.path, part.path]
  })
  return {
    kind: 'bubblewrap',
    wrap: ({ command, args, folder, readable = [] }) => ({
      command: bwrap,
      args: [
        ...['--unshare-all', '--die-with-parent', '--cap-drop', 'ALL'],
        ...mounts,
        ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
        ...readable.flatMap((path) => ['--ro-bind', path, path]),
        ...['--bind', folder, folder, '--chdir', folder, '--', command, ...args],
      ],
    }),
  }
}
