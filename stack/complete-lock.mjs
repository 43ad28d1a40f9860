/**
 * Adds to package-lock.json the optional platform packages that the registry in use does not serve.
 *
 * npm leaves an optional dependency that it cannot fetch out of the lock file, and `npm ci` then refuses
 * that lock file. An entry with the platform's os and cpu lets npm skip it here and fetch it there.
 * Run through `npm run lock` after changing a dependency.
 */
import { readFileSync, writeFileSync } from 'node:fs'

const OPERATING_SYSTEMS = 'aix android darwin freebsd linux netbsd openbsd openharmony sunos win32'.split(' ')
const PROCESSORS = 'arm64 arm ia32 loong64 mips64el ppc64 riscv64 s390x x64 wasm32'.split(' ')

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'))
const packages = lock.packages

/** The lock entry that Node would resolve `name` to from `from`, or undefined. */
const resolve = (from, name) => {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const path = `${at ? `${at}/` : ''}node_modules/${name}`
    if (packages[path]) return path
    if (!at) return undefined
  }
}

const platformOf = (name) => {
  const words = name.replace('linuxmusl', 'linux-musl').replace('windows', 'win32').split(/[-/_]/)
  const os = OPERATING_SYSTEMS.find((word) => words.includes(word))
  const cpu = PROCESSORS.find((word) => words.some((part) => part.startsWith(word)))
  return {
    ...(cpu && { cpu: [cpu] }),
    ...(os && { os: [os] }),
    ...(words.includes('musl') && { libc: ['musl'] }),
  }
}

let added = 0
for (const [path, entry] of Object.entries(packages)) {
  for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
    if (resolve(path, name)) continue
    const parent = path.slice(0, Math.max(0, path.lastIndexOf('node_modules/')))
    packages[`${parent}node_modules/${name}`] = {
      version: range.replace(/^[\^~]/, ''),
      ...platformOf(name),
      optional: true,
    }
    added++
  }
}
const ordered = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1)))
writeFileSync('package-lock.json', `${JSON.stringify({ ...lock, packages: ordered }, null, 2)}\n`)
console.log(`${added} platform packages added to package-lock.json`)
