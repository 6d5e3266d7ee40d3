-- What Google Play passed on to an app that was installed, redacted. Its click_id is in click_id.
alter table event add column install_referrer text;
