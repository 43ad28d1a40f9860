import { lstatSync, readlinkSync } from 'node:fs'

/** A part of the system inside a sandbox: shown read-only, or a link to another part. */
export type SystemFile = { path: string; target: string | null }

/** Programs, libraries, fonts and their configuration; no data, no home folders, no passwords. */
const PATHS = [
  ...['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/opt', '/nix/store'],
  ...['/etc/alternatives', '/etc/fonts', '/etc/libreoffice', '/etc/localtime'],
  ...['/etc/ld.so.cache', '/etc/ld.so.conf', '/etc/ld.so.conf.d', '/var/cache/fontconfig'],
]

/** Those parts that this system has. */
export const systemFiles = (): SystemFile[] =>
  PATHS.flatMap((path) => {
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (!found) return []
    return [{ path, target: found.isSymbolicLink() ? readlinkSync(path) : null }]
  })
