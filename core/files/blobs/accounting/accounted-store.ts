import { fail } from '../../../platform/errors/index.js'
import type { BlobOwner, BlobStore, WriteOptions } from '../types.js'
import type { BlobLedger, BlobUsage } from './types.js'

/** A store that knows whose the bytes are. */
export type AccountedBlobStore = BlobStore & {
  /** The same store; what is written to it belongs to the owner. */
  ownedBy(owner: BlobOwner): BlobStore
  /**
   * @returns a check of whether an owner may have bytes beside those that are stored now, which throws
   *   insufficientStorage. `total` is what others have beside them, too.
   */
  roomOf(owner: BlobOwner): Promise<(beside: BlobUsage) => void>
}

/** Bytes; absent: no quota. Administrators have none of their own. */
export type BlobQuotas = { user: number | undefined; total: number | undefined }

const PRODUCT = ''

/** Bytes that are being written by this process, by owner. */
const createWriting = () => {
  const byOwner = new Map<string, number>()
  let total = 0
  return {
    add: (owner: string, bytes: number): void => {
      total += bytes
      const own = (byOwner.get(owner) ?? 0) + bytes
      if (own > 0) byOwner.set(owner, own)
      else byOwner.delete(owner)
    },
    usage: (owner: string): BlobUsage => ({ own: byOwner.get(owner) ?? 0, total }),
  }
}

/**
 * A store that records what is written to it, and refuses with `insufficientStorage` what a quota does not allow: while
 * the bytes come, those that this process is writing counted, and when all have come.
 */
export const createAccountedStore = (
  store: BlobStore,
  { ledger, quotas }: { ledger: BlobLedger; quotas: BlobQuotas },
): AccountedBlobStore => {
  const writing = createWriting()

  const requireQuota = (owner: BlobOwner | undefined, { own, total }: BlobUsage): void => {
    if (quotas.total !== undefined && total > quotas.total)
      throw fail(
        'insufficientStorage',
        `All files together would exceed their quota of ${quotas.total} bytes (ARCHIVOLT_FILES_QUOTA_BYTES)`,
      )
    if (quotas.user !== undefined && owner && !owner.isAdministrator && own > quotas.user)
      throw fail(
        'insufficientStorage',
        `The files of ${owner.name} would exceed the quota of ${quotas.user} bytes for one user (ARCHIVOLT_USER_QUOTA_BYTES)`,
      )
  }

  /** Whoever no quota limits needs no look at what is stored. */
  const usageOf = (owner: BlobOwner | undefined): Promise<BlobUsage> | BlobUsage => {
    const isLimited =
      quotas.total !== undefined ||
      (quotas.user !== undefined && owner !== undefined && !owner.isAdministrator)
    return isLimited ? ledger.usage(owner?.name ?? PRODUCT) : { own: 0, total: 0 }
  }

  const write = async (
    content: Parameters<BlobStore['write']>[0],
    { owner, ...options }: WriteOptions = {},
  ) => {
    const name = owner?.name ?? PRODUCT
    const usage = await usageOf(owner)
    let received = 0
    const accounting = {
      receive: (bytes: number) => {
        received += bytes
        writing.add(name, bytes)
        const coming = writing.usage(name)
        requireQuota(owner, { own: usage.own + coming.own, total: usage.total + coming.total })
      },
      confirm: async (blob: { key: string; length: number }) => {
        const now = await usageOf(owner)
        requireQuota(owner, { own: now.own + received, total: now.total + received })
        await ledger.record(blob, name)
      },
    }
    try {
      return await store.write(content, { ...options, accounting })
    } finally {
      writing.add(name, -received)
    }
  }

  return {
    ...store,
    write,
    roomOf: async (owner) => {
      const usage = await usageOf(owner)
      return ({ own, total }) => requireQuota(owner, { own: usage.own + own, total: usage.total + total })
    },
    ownedBy: (owner) => ({
      ...store,
      write: (content, options) => write(content, { ...options, owner }),
    }),
  }
}
