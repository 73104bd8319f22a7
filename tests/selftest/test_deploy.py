"""The scripts of deploy/local do what they promise."""


def test_deploy_local(tally, build):
    tally.run("deploy/local/selftest.sh", "BUILD=" + build)
