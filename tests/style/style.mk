# SPDX-License-Identifier: GPL-2.0-only
#
# Style and static analysis. The rules are tests like all others: tests/style/t/.

DEPS_DEBIAN += linux-headers sparse shellcheck clang clang-tidy lld llvm xz-utils

style: check-bins ## all rules of style and static analysis
	$(Q)prove --timer --exec '' tests/style/t/

sparse: ## sparse over the module, the tool and the tests
	$(Q)prove --exec "" tests/style/t/sparse.t tests/style/t/module.t

shellcheck: ## shellcheck over the scripts
	$(Q)tests/style/t/shellcheck.t
