import type { Sandbox } from './sandbox.js'
import type { SystemFile } from './system-files.js'

/**
 * Builds the file system of the sandbox, and then becomes the program. Arguments: the folder of the program, any
 * number of `show PATH`, `hide PATH` and `link TARGET PATH`, `--`, the command line.
 */
const SCRIPT = `
set -eu
PATH=$PATH:/usr/sbin:/sbin
folder=$1
root=$folder/.root
shift
# A program that ran here before has left it; what it may have put in its place is no folder.
[ -d "$root" ] && [ ! -L "$root" ] || mkdir "$root"
mount -t tmpfs -o mode=755 tmpfs "$root"
mkdir "$root/proc" "$root/dev" "$root/old" "$root/etc"
mkdir -m 1777 "$root/tmp"
attach() {
  mkdir -p "$(dirname "$root$1")"
  if [ -d "$1" ]; then mkdir -p "$root$1"; else [ -e "$root$1" ] || touch "$root$1"; fi
  mount --rbind "$1" "$root$1"
}
while [ "$1" != -- ]; do
  case $1 in
    show) attach "$2"; mount -o remount,bind,ro "$root$2"; shift 2 ;;
    hide) mount -t tmpfs -o mode=755 tmpfs "$root$2"; shift 2 ;;
    link) ln -s "$2" "$root$3"; shift 3 ;;
  esac
done
shift
for device in null zero full random urandom; do attach /dev/$device; done
mount -t proc proc "$root/proc"
attach "$folder"
cd "$root"
pivot_root . old
umount -l old
rmdir old
cd "$folder"
exec setpriv --inh-caps=-all --bounding-set=-all --no-new-privs -- "$@"
`

/** The same sandbox by `unshare` of util-linux, for systems without bubblewrap. */
export const createUnshare = (unshare: string, system: readonly SystemFile[]): Sandbox => {
  const parts = system.flatMap((part) => {
    if (part.kind === 'link') return ['link', part.target, part.path]
    return [part.kind === 'hidden' ? 'hide' : 'show', part.path]
  })
  const namespaces = ['--user', '--map-root-user', '--mount', '--net', '--ipc', '--uts', '--pid', '--fork']
  return {
    kind: 'unshare',
    wrap: ({ command, args, folder, readable = [] }) => ({
      command: unshare,
      args: [
        ...[...namespaces, '--kill-child', '--', '/bin/sh', '-c', SCRIPT, 'sh', folder, ...parts],
        ...readable.flatMap((path) => ['show', path]),
        ...['--', command, ...args],
      ],
    }),
  }
}
