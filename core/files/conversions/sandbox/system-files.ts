import { lstatSync, readdirSync, readlinkSync, realpathSync } from 'node:fs'
import { join, sep } from 'node:path'

/** A part of the system inside a sandbox: shown read-only, a link to another part, or a folder that is empty there. */
export type SystemFile =
  | { kind: 'shown' | 'hidden'; path: string }
  | { kind: 'link'; path: string; target: string }

/** Programs, libraries, fonts and their configuration; no data, no home folders, no passwords. */
const PATHS = [
  ...['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/nix/store'],
  ...[
    '/etc/alternatives',
    '/etc/fonts',
    '/etc/ImageMagick-6',
    '/etc/ImageMagick-7',
    '/etc/libreoffice',
    '/etc/localtime',
  ],
  ...['/etc/ld.so.cache', '/etc/ld.so.conf', '/etc/ld.so.conf.d', '/var/cache/fontconfig'],
]

/** Where other software has its data, too: of it only what LibreOffice's own packages install. */
const OPT = '/opt'

const isThere = (path: string) => lstatSync(path, { throwIfNoEntry: false }) !== undefined

const optional = (): string[] =>
  isThere(OPT)
    ? readdirSync(OPT)
        .filter((name) => name.startsWith('libreoffice'))
        .map((name) => join(OPT, name))
    : []

const partOf = (path: string): SystemFile[] => {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found) return []
  return [
    found.isSymbolicLink() ? { kind: 'link', path, target: readlinkSync(path) } : { kind: 'shown', path },
  ]
}

const isBelow = (path: string, folder: string): boolean => path.startsWith(`${folder}${sep}`)

/** @param hidden folders, of which those are masked that stand in a part that is shown. */
export const systemFiles = (hidden: readonly string[]): SystemFile[] => {
  const parts = [...PATHS, ...optional()].flatMap(partOf)
  const masked = [...new Set(hidden.filter(isThere).map((path) => realpathSync(path)))].filter((path) =>
    parts.some((part) => part.kind === 'shown' && isBelow(path, part.path)),
  )
  // One inside of another is hidden with it.
  const outer = masked.filter((path) => !masked.some((folder) => isBelow(path, folder)))
  return [...parts, ...outer.map((path) => ({ kind: 'hidden', path }) as const)]
}
