-- oldest compatible: 0004
-- When a commission was approved, by its hold or by a person. Null: it never was, or an older version
-- approved it. A refund or a rejection afterwards keeps it.
alter table commissions add column approved_at timestamptz(3);
