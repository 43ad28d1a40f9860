/** Absolute paths of all ancestors, the root first; none of the root itself, and of what has no place. */
export const ancestorPaths = (path: string | null): string[] => {
  if (path === null || path === '/') return []
  const steps = path.split('/').filter((step) => step !== '')
  return ['/', ...steps.slice(0, -1).map((_, depth) => `/${steps.slice(0, depth + 1).join('/')}`)]
}
