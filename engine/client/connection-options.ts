import type { Settings } from '../../core/platform/settings/index.js'

/** What clients and workers connect by; mTLS where a client's certificate is given. */
export const connectionOptions = ({
  address,
  tls,
  apiKey,
}: Pick<Settings['temporal'], 'address' | 'tls' | 'apiKey'>) => ({
  address,
  ...(apiKey !== undefined && { apiKey }),
  tls: tls
    ? {
        ...(tls.serverName !== undefined && { serverNameOverride: tls.serverName }),
        ...(tls.ca && { serverRootCACertificate: tls.ca }),
        ...(tls.client && { clientCertPair: { crt: tls.client.cert, key: tls.client.key } }),
      }
    : // An API key would switch it on.
      false,
})
