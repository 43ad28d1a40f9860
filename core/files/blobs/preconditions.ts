/** True when an If-None-Match header names this strong ETag. Weak tags never match (blobs-conversions.md §2). */
export const listsEtag = (header: string | undefined, etag: string): boolean =>
  (header ?? '')
    .split(',')
    .map((tag) => tag.trim())
    .some((tag) => tag === '*' || tag === etag)

/** False only when both dates are known and the resource is no newer; HTTP dates have whole seconds. */
export const isModified = ({
  lastModified,
  ifModifiedSince,
}: {
  lastModified?: Date
  ifModifiedSince?: string
}): boolean => {
  if (!lastModified || !ifModifiedSince) return true
  const since = Date.parse(ifModifiedSince)
  return Number.isNaN(since) || Math.floor(lastModified.getTime() / 1000) > Math.floor(since / 1000)
}
