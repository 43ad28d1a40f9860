ALTER TABLE "documents" ADD COLUMN "proxy_target_id" uuid;--> statement-breakpoint
ALTER TABLE "documents" ADD COLUMN "proxy_version_series_id" uuid;--> statement-breakpoint
ALTER TABLE "documents" ADD COLUMN "has_proxies" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "documents_proxy_target" ON "documents" USING btree ("proxy_target_id") WHERE proxy_target_id is not null;--> statement-breakpoint
CREATE INDEX "documents_proxy_series" ON "documents" USING btree ("proxy_version_series_id") WHERE proxy_version_series_id is not null;