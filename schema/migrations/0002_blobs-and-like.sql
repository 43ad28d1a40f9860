CREATE TABLE "blob_stores" (
	"id" uuid PRIMARY KEY NOT NULL
);

CREATE TABLE "blob_usage" (
	"owner" text PRIMARY KEY NOT NULL,
	"bytes" bigint NOT NULL
);

CREATE TABLE "blobs" (
	"key" text PRIMARY KEY NOT NULL,
	"length" bigint NOT NULL,
	"owner" text NOT NULL,
	"used_at" timestamp with time zone DEFAULT now() NOT NULL,
	"unreferenced_at" timestamp with time zone
);

CREATE INDEX "blobs_unreferenced" ON "blobs" USING btree ("unreferenced_at") WHERE "blobs"."unreferenced_at" IS NOT NULL;

-- LIKE compares up to as many bytes for each byte of a text, and nothing ends it on its way: neither the time limit of
-- its statement nor whoever ends its session. What would take longer than seconds is refused. A function of this
-- language also looks at each of its statements whether it is to end.
CREATE FUNCTION archivolt_like(searched text, pattern text) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
DECLARE
  allowed constant bigint := 536870912 / greatest(octet_length(pattern), 1);
BEGIN
  IF octet_length(searched) > allowed THEN
    RAISE EXCEPTION USING ERRCODE = 'AV400', MESSAGE = format(
      'NXQL: a LIKE pattern of %s bytes takes texts of at most %s bytes, and one of %s bytes is among the documents',
      octet_length(pattern), allowed, octet_length(searched));
  END IF;
  RETURN searched LIKE pattern;
END $$;
