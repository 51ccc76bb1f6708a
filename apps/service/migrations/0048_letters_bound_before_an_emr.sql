-- What a clinic said of the codes of its own weeks says nothing of the letters of an EMR that it connects later.
UPDATE "slot_code" SET "bound" = false WHERE NOT EXISTS (SELECT FROM "emr_connection");
