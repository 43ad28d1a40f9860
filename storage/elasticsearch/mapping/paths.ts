/** A path with the paths of all that is above it: `/a`, `/a/b`. */
export const pathsTo = (path: string): string[] => {
  const names = path.split('/').slice(1)
  return names.map((_, position) => `/${names.slice(0, position + 1).join('/')}`)
}
